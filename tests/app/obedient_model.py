"""A language model that does whatever a student's answer tells it to: `python -m tests.app.obedient_model`.

It speaks as OpenAI's API does, as far as `app.reviews.suggestions` listens. What follows SAY in an answer is what it
says, word for word. Otherwise it gives full points for every concept, and quotes the answer's first sentence.
"""

import json
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


def reply(task: dict[str, Any]) -> str:
    answer = str(task["answer"])
    if "SAY " in answer:
        return answer.partition("SAY ")[2]
    passage = answer.partition(".")[0]
    found = [{"concept": item["concept"], "points": item["points"], "passage": passage} for item in task["rubric"]]
    return json.dumps({"proposals": found})


class Model(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        is_right = self.path == "/v1/chat/completions" and self.headers["Authorization"] == "Bearer open sesame"
        text = reply(json.loads(sent["messages"][-1]["content"]))
        if text == "NOTHING":
            time.sleep(2)
        content = json.dumps({"choices": [{"message": {"role": "assistant", "content": text}}]})
        self.send_response(200 if is_right else 401)
        self.end_headers()
        self.wfile.write(
            {"HTML": b"<html>", "DEEP": b"[" * 100_000, "LONG": b" " * 300_000}.get(text, content.encode())
        )

    def log_message(self, *_: object) -> None:
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    sys.stdout.write(f"{server.server_port}\n")
    sys.stdout.flush()
    server.serve_forever()
