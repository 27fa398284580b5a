"""Asks a service, whose address and keys are in the environment."""

import base64
import hashlib
import hmac
import json
import os
import threading
import time
import unittest
from datetime import datetime
from http.server import BaseHTTPRequestHandler, HTTPServer

from sightline import ApiError, ConnectionFailed, Sightline, SightlineError, verify_webhook

URL = os.environ["SIGHTLINE_URL"]
KEY = os.environ["SIGHTLINE_KEY"]
RANGE = {"from": "2026-01-05T00:00:00Z", "to": "2026-01-08T00:00:00Z"}


class Scripted:
    """A server that replies what it is told, and keeps what it was asked."""

    def __init__(self, *replies):
        asked = self.asked = []
        left = list(replies)

        class Handler(BaseHTTPRequestHandler):
            def do(self):
                length = int(self.headers.get("Content-Length") or 0)
                body = self.rfile.read(length)
                asked.append((self.command, self.path, dict(self.headers), body))
                status, headers, document = left.pop(0)
                if status is None:
                    self.close_connection = True
                    return
                text = json.dumps(document).encode()
                self.send_response(status)
                for name, value in {**headers, "Content-Length": str(len(text))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST = do_PUT = do_DELETE = do

            def log_message(self, *_):
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def token(seconds):
    part = base64.urlsafe_b64encode(json.dumps({"iat": 0, "exp": seconds}).encode()).decode().rstrip("=")
    return f"e30.{part}.c2ln"


def problem(status, code, **more):
    return {"type": f"/docs/errors/{code}", "status": status, "code": code, "detail": "No.", **more}


class AgainstTheService(unittest.TestCase):
    def setUp(self):
        self.client = Sightline(URL, key=KEY)

    def test_a_question_gets_the_services_reply(self):
        reply = self.client.mentions({"interval": "daily", "filters": {"timeRange": RANGE}})
        values = {each["name"]: [point["value"] for point in each["data"]] for each in reply["series"]}
        self.assertEqual(values, {"Acme": [1, None, 0], "Globex": [0.5, None, 0], "Initech": [0, None, 0]})

    def test_instants_may_be_datetimes_and_none_is_left_out(self):
        spoken = {"from": datetime(2026, 1, 5), "to": datetime(2026, 1, 8)}
        filters = {"timeRange": spoken, "providers": None}
        body = {"interval": "daily", "filters": filters}
        plain = {"interval": "daily", "filters": {"timeRange": RANGE}}
        self.assertEqual(self.client.rank(body), self.client.rank(plain))

    def test_pages_follow_each_other(self):
        asked = {"groupBy": "url", "limit": 1, "offset": 0, "filters": {"timeRange": RANGE}}
        pages = list(self.client.pages("sources", asked))
        self.assertEqual([len(page["sources"]) for page in pages], [1, 1, 1, 1])
        brand = self.client.workspace()["brand"]["id"]
        asked = {"entityId": brand, "role": "any", "limit": 1, "filters": {"timeRange": RANGE}}
        pages = list(self.client.pages("evidence", asked))
        self.assertEqual(sum(len(page["answers"]) for page in pages), pages[0]["total"])
        one = pages[0]["answers"][0]
        self.assertEqual(self.client.answer(one["id"])["text"], one["text"])

    def test_what_is_written_is_there_and_can_be_taken_back(self):
        line = {"prompt": "Which storage?", "provider": "GROK", "text": "Acme."}
        lines = [{**line, "answeredAt": f"2026-02-01T00:00:{at:02}Z"} for at in range(3)]
        bad = {**line, "answeredAt": "never"}
        imported = self.client.import_answers([*lines, bad], source="python")
        self.assertEqual((imported["accepted"], imported["rejected"]), (3, 1))
        self.assertEqual([error["line"] for error in imported["errors"]], [4])
        same = self.client.import_answers("\n".join(json.dumps(each) for each in lines))
        self.assertEqual(same["duplicates"], 3)
        undone = self.client.undo_import(imported["importId"])
        self.assertEqual(undone["deleted"], 3)
        key = self.client.create_key({"name": "from Python"})
        self.assertIsNotNone(self.client.revoke_key(key["keyId"])["revokedAt"])
        entries = self.client.audit(action="key.created", subject=key["keyId"])["entries"]
        self.assertEqual([entry["after"]["name"] for entry in entries], ["from Python"])
        file = self.client.workspace_file()
        applied = self.client.apply_workspace(file, dry_run=True)
        self.assertEqual((applied["dryRun"], applied["updated"]), (True, 0))

    def test_a_refusal_says_what_is_wrong(self):
        backwards = {"from": RANGE["to"], "to": RANGE["from"]}
        with self.assertRaises(ApiError) as caught:
            self.client.mentions({"interval": "daily", "filters": {"timeRange": backwards}})
        error = caught.exception
        self.assertEqual((error.status, error.code), (400, "invalid_request"))
        self.assertEqual(error.errors[0]["path"], "/filters/timeRange")
        self.assertTrue(error.request_id.startswith("req_"))
        with self.assertRaises(ApiError) as caught:
            Sightline(URL, key="sk_no").workspace()
        self.assertEqual(caught.exception.code, "key_invalid")
        with self.assertRaises(ApiError) as caught:
            self.client.answer("../keys")
        self.assertEqual(caught.exception.status, 404)


class Sending(unittest.TestCase):
    def client(self, scripted, **options):
        self.waits = []
        return Sightline(scripted.url, sleep=self.waits.append, **options)

    def test_a_session_is_used_until_it_is_refused(self):
        first, second = {"sessionJwt": token(600)}, {"sessionJwt": token(601)}
        refused = (401, {}, problem(401, "session_invalid"))
        ok = (200, {}, {"imports": []})
        with Scripted((200, {}, first), ok, ok, refused, (200, {}, second), ok) as scripted:
            client = self.client(scripted, key="sk_a")
            for _ in range(3):
                client.imports()
        used = [headers["Authorization"] for _, _, headers, _ in scripted.asked]
        bearer = [f"Bearer {each}" for each in ("sk_a", token(600), token(601))]
        self.assertEqual(used, [bearer[0], bearer[1], bearer[1], bearer[1], bearer[0], bearer[2]])

    def test_a_short_session_is_exchanged_again(self):
        ok = (200, {}, {"imports": []})
        sessions = [(200, {}, {"sessionJwt": token(0.001)}) for _ in range(2)]
        with Scripted(sessions[0], ok, sessions[1], ok) as scripted:
            client = self.client(scripted, key="sk_a")
            client.imports()
            time.sleep(0.01)
            client.imports()
        self.assertEqual(len(scripted.asked), 4)

    def test_what_may_be_sent_again_is_and_waits_as_it_is_told(self):
        busy = (503, {"Retry-After": "7"}, problem(503, "overloaded"))
        ok = (200, {}, {"imports": []})
        with Scripted(busy, (None, {}, None), ok) as scripted:
            self.client(scripted, session="a").imports()
        self.assertGreaterEqual(self.waits[0], 7)
        self.assertEqual(len(scripted.asked), 3)

    def test_what_must_not_be_done_twice_is_not(self):
        with Scripted((None, {}, None)) as scripted:
            with self.assertRaises(ConnectionFailed):
                self.client(scripted, session="a").create_key({"name": "a"})
            self.assertEqual(len(scripted.asked), 1)
        with Scripted((None, {}, None)) as scripted:
            with self.assertRaises(ConnectionFailed):
                self.client(scripted, session="a").apply_workspace({"account": "A"}, if_match='"1"')
            self.assertEqual(len(scripted.asked), 1)

    def test_a_quota_that_is_used_up_is_not_waited_for(self):
        spent = (429, {"Retry-After": "40000"}, problem(429, "quota_exhausted"))
        with Scripted(spent) as scripted:
            with self.assertRaises(ApiError) as caught:
                self.client(scripted, session="a").imports()
        self.assertEqual((caught.exception.retry_after, self.waits), (40_000, []))

    def test_what_must_not_be_done_twice_waits_for_its_rate_alone(self):
        rate, busy = (429, {}, problem(429, "rate_limited")), (503, {}, problem(503, "overloaded"))
        with Scripted(rate, busy) as scripted:
            with self.assertRaises(ApiError) as caught:
                self.client(scripted, session="a").create_key({"name": "a"})
        self.assertEqual((caught.exception.code, len(scripted.asked)), ("overloaded", 2))

    def test_an_empty_import_sends_nothing(self):
        with Scripted() as scripted:
            imported = self.client(scripted, session="a").import_answers([])
        self.assertEqual((imported["errors"], scripted.asked), ([], []))

    def test_it_gives_up_and_says_why(self):
        busy = (429, {}, problem(429, "rate_limited"))
        with Scripted(*[busy] * 3) as scripted:
            with self.assertRaises(ApiError) as caught:
                self.client(scripted, session="a", retries=2).imports()
        self.assertEqual((caught.exception.code, len(self.waits)), ("rate_limited", 2))

    def test_a_redirect_or_a_page_is_no_reply_and_gets_no_token(self):
        away = (307, {"Location": f"{URL}/v1/imports"}, {})
        with Scripted(away, (502, {}, "a page")) as scripted:
            client = self.client(scripted, session="a", retries=0)
            for _ in range(2):
                with self.assertRaises(ConnectionFailed):
                    client.imports()
        self.assertEqual(len(scripted.asked), 2)

    def test_ids_and_parameters_are_escaped(self):
        with Scripted((200, {}, {}), (200, {}, {})) as scripted:
            client = self.client(scripted, session="a")
            client.collection("a/b?c")
            client.labels(labeller="a&b", limit=3)
        paths = [path for _, path, _, _ in scripted.asked]
        self.assertEqual(paths, ["/v1/collections/a%2Fb%3Fc", "/v1/labels?labeller=a%26b&limit=3"])

    def test_long_imports_are_sent_in_parts_and_lines_are_counted_through(self):
        def reply(accepted, line):
            errors = [{"line": line, "path": "", "message": "No."}]
            return (200, {}, {"importId": "a", "accepted": accepted, "errors": errors})

        with Scripted(reply(1_999, 7), reply(1, 2)) as scripted:
            total = self.client(scripted, session="a").import_answers({"at": at} for at in range(2_002))
        self.assertEqual(total["accepted"], 2_000)
        self.assertEqual([error["line"] for error in total["errors"]], [7, 2_002])
        self.assertEqual([body.count(b"\n") for _, _, _, body in scripted.asked], [2_000, 2])

    def test_options_that_cannot_be_right_are_refused(self):
        for options in ({}, {"key": "a", "session": "b"}):
            with self.assertRaises(ValueError):
                Sightline(URL, **options)
        with self.assertRaises(ValueError):
            Sightline("sightline.example", key="a")


class Webhooks(unittest.TestCase):
    def test_a_signature_is_verified(self):
        secret = "whsec_" + base64.b64encode(b"k" * 24).decode()
        body = b'{"type":"test"}'
        signed = b"msg_1.1000." + body
        made = base64.b64encode(hmac.new(b"k" * 24, signed, hashlib.sha256).digest()).decode()
        headers = {
            "Webhook-Id": "msg_1",
            "Webhook-Timestamp": "1000",
            "Webhook-Signature": f"v1,AAAA v1,{made}",
        }
        self.assertEqual(verify_webhook(body, headers, secret, now=1_100), {"type": "test"})
        for other_body, now in ((b'{"type":"tesT"}', 1_100), (body, 2_000)):
            with self.assertRaises(SightlineError):
                verify_webhook(other_body, headers, secret, now=now)


if __name__ == "__main__":
    unittest.main()
