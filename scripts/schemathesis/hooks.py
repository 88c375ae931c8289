"""What schemathesis must leave alone, and what it must not take for a fault.

It takes the ids that it sends from answers that it got. Among them is that of the account whose token it sends, and an
administrator may close any account but the last: after that every answer would be 401, and nothing would be tested.
Among them too is the document_id of a file that has given no text yet: null, which is no id, and would be sent as one.
"""

import os
import re
import time
import uuid
from types import SimpleNamespace

import requests
import schemathesis
from schemathesis.core.failures import AcceptedNegativeData, ServerError
from schemathesis.core.media_types import is_json
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import CoveragePhaseData, CoverageScenario
from schemathesis.openapi.checks import EnsureResourceAvailability
from schemathesis.specs.openapi import checks
from schemathesis.transport.serialization import Binary

NOBODY = "00000000-0000-4000-8000-000000000000"

# What a request may be called, as the document has it.
ONCE = re.compile(r'([A-Za-z0-9._~:+/=-]{1,255}|"[ !#-\[\]-~]{1,255}")\Z')

# A part of a file is sent as it is.
schemathesis.serializer.alias("application/offset+octet-stream", "application/octet-stream")

# How often a request is sent again that found the store away, a second apart.
PATIENCE = 20


@schemathesis.hook
def before_call(context, case, kwargs):
    """Send what would go to one's own account, or to null, to somebody who is not there.

    And call no two requests alike: the names that it draws are few, and under one that came with another request, which
    the document lets the server refuse, nothing else of the request would be looked at.
    """
    headers = case.headers or {}
    for name, sent in headers.items():
        if lacks_header(case):
            break  # a request whose headers are touched is sent with those that it was to lack
        if name.lower() == "idempotency-key" and ONCE.match(str(sent)):
            headers[name] = str(uuid.uuid4())
    path = case.path_parameters or {}
    for name, sent in path.items():
        own = case.operation.label == "PATCH /api/v1/admin/users/{id}" and bare(sent) == bare(os.environ["CONTRACT_ACCOUNT"])
        if own or sent is None or sent == "null":
            path[name] = NOBODY


def lacks_header(case):
    """Whether a request is to be refused because a header is not in it."""
    if case.meta is None:
        return False
    phase = case.meta.phase.data
    missing = isinstance(phase, CoveragePhaseData) and phase.scenario == CoverageScenario.MISSING_PARAMETER
    return missing and phase.parameter_location == ParameterLocation.HEADER


def bare(identifier):
    return str(identifier).replace("-", "").lower()


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Tell whether a failure is one."""
    if isinstance(failure, AcceptedNegativeData):
        return not (is_valid_form(case, response) or is_valid_trimmed(case))
    if isinstance(failure, EnsureResourceAvailability):
        if case.operation.label in (
            "DELETE /api/v1/admin/users/{id}/second-factor",
            "DELETE /api/v1/admin/users/{id}/identities",
        ):
            return False  # the account was created, and has none yet
        return NOBODY not in case.path_parameters.values()  # it was never created: the id is ours
    if isinstance(failure, ServerError) and response.status_code == 503:
        return not passes(response.request)
    return True


def is_valid_form(case, response):
    """Whether a form with a file that was meant to be wrong is as the document has it.

    schemathesis cannot hold bytes against a schema. It therefore takes every form with a file that it draws from a
    changed schema for wrong, though the change may be to a field that it left out, or may allow what the schema allows
    too; and when such a form is accepted, it finds no file as it should be. Its own question is asked once more here,
    of the fields as they were sent, with a text in the place of the file. What remains wrong then was accepted wrongly.
    """
    if not is_wrong_in_its_body_alone(case) or not any(isinstance(value, Binary) for value in case.body.values()):
        return False
    body = {name: "" if isinstance(value, Binary) else value for name, value in case.body.items()}
    read = SimpleNamespace(body=body, operation=case.operation)
    return checks._form_body_is_valid_as_sent(response, read, case.media_type)


def is_valid_trimmed(case):
    """Whether a body is too long by white space alone: the server takes it away around a text before it counts."""
    if not is_wrong_in_its_body_alone(case) or not is_json(case.media_type):
        return False
    alternative = case.operation.get_body_for_media_type(case.media_type)
    dialect = case.operation.schema.adapter.jsonschema_validator_cls
    validator = checks.make_validator(alternative.optimized_schema, dialect)
    if any(error.schema_path[-1] != "maxLength" for error in validator.iter_errors(case.body)):
        return False
    return validator.is_valid(trimmed(case.body))


def trimmed(value):
    """A value without white space around its texts, however deep they stand."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, dict):
        return {name: trimmed(inner) for name, inner in value.items()}
    return [trimmed(inner) for inner in value] if isinstance(value, list) else value


def is_wrong_in_its_body_alone(case):
    wrong = [place for place, part in case.meta.components.items() if part.mode.is_negative]
    return wrong == [ParameterLocation.BODY] and isinstance(case.body, dict)


def passes(request):
    """Whether a request that was answered 503 is answered otherwise later.

    503 says that a store does not answer, which happens on a busy machine. Then it is no fault of what was asked: the
    same request is answered once the store is back. What is answered so every time is a fault.
    """
    with requests.Session() as session:
        for _ in range(PATIENCE):
            time.sleep(1)
            try:
                with session.send(request, timeout=20, stream=True) as again:
                    if again.status_code != 503:
                        return again.status_code < 500
            except requests.RequestException:
                pass  # cut off: asked again
    return False
