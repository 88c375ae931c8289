"""What schemathesis must leave alone.

It takes the ids that it sends from answers that it got. Among them is that of the account whose token it sends, and an
administrator may close any account but the last: after that every answer would be 401, and nothing would be tested.
Among them too is the document_id of a file that has given no text yet: null, which is no id, and would be sent as one.
"""

import os

import schemathesis

NOBODY = "00000000-0000-4000-8000-000000000000"


@schemathesis.hook
def before_call(context, case, kwargs):
    """Send what would go to one's own account, or to null, to somebody who is not there."""
    path = case.path_parameters or {}
    for name, sent in path.items():
        own = case.operation.label == "PATCH /api/v1/admin/users/{id}" and bare(sent) == bare(os.environ["CONTRACT_ACCOUNT"])
        if own or sent is None or sent == "null":
            path[name] = NOBODY


def bare(identifier):
    return str(identifier).replace("-", "").lower()
