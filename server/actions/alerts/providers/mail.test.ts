// Mail over a real SMTP conversation with a local server.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createServer, type Server } from "node:net";
import { createMailer } from "../../../lib/mail.ts";
import { createMailSender } from "./mail.ts";

const received: { from: string; to: string; data: string }[] = [];
let server: Server;
let url = "";

/** Speaks enough of RFC 5321 to take a message, refuses mailboxes called gone@ for good and full@ for now. */
function listen(): Promise<Server> {
  const started = createServer((socket) => {
    let mail = { from: "", to: "", data: "" };
    let reading = false;
    let pending = "";
    socket.write("220 test ESMTP\r\n");
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      pending += chunk.toString();
      for (let end = pending.indexOf("\r\n"); end >= 0; end = pending.indexOf("\r\n")) {
        const line = pending.slice(0, end);
        pending = pending.slice(end + 2);
        socket.write(answer(line));
      }
    });
    const answer = (line: string): string => {
      if (reading) {
        if (line !== ".") mail.data += `${line}\n`;
        else {
          reading = false;
          received.push(mail);
          mail = { from: "", to: "", data: "" };
          return "250 kept\r\n";
        }
        return "";
      }
      const verb = line.slice(0, 4).toUpperCase();
      if (verb === "EHLO") return "250-test\r\n250 SIZE 1000000\r\n";
      if (verb === "MAIL") mail.from = line;
      if (verb === "RCPT") {
        if (line.includes("gone@")) return "550 no such mailbox\r\n";
        if (line.includes("full@")) return "452 mailbox full\r\n";
        mail.to = line;
      }
      if (verb === "DATA") {
        reading = true;
        return "354 go on\r\n";
      }
      return verb === "QUIT" ? "221 bye\r\n" : "250 ok\r\n";
    };
  });
  return new Promise((done) => started.listen(0, "127.0.0.1", () => done(started)));
}

beforeAll(async () => {
  server = await listen();
  url = `smtp://127.0.0.1:${(server.address() as { port: number }).port}`;
});
afterAll(() => server.close());

const targetOf = (to: string) => ({ id: "chn_1", type: "email", target: { to }, secrets: {}, token: "tok-1" });
const verify = { id: "msg_1", atMs: 0, message: { verify: true as const } };

describe("mail", () => {
  test("reaches the server whole: sender, receiver, subject in any script, link to confirm", async () => {
    const senderMailer = createMailer(url, "alerts@example.com");
    const sender = createMailSender({ mailer: senderMailer, publicUrl: () => "https://api.example.com" });
    expect(await sender.send(targetOf("ada@example.com"), verify)).toMatchObject({ ok: true, gone: false });
    senderMailer.close();
    const [mail] = received;
    expect(mail.from).toContain("<alerts@example.com>");
    expect(mail.to).toContain("<ada@example.com>");
    expect(mail.data.replace(/=\n/g, "").replaceAll("=3D", "=")).toContain(
      "https://api.example.com/alerts/confirm/tok-1",
    );
    expect(mail.data).toMatch(/^Message-ID: .*msg_1/im);
  });

  test("a mailbox that is gone ends the subscription; a full one or a silent server is tried again", async () => {
    const senderMailer = createMailer(url, "alerts@example.com");
    const sender = createMailSender({ mailer: senderMailer, publicUrl: () => "https://api.example.com" });
    expect(await sender.send(targetOf("gone@example.com"), verify)).toMatchObject({
      ok: false,
      gone: true,
      status: 550,
    });
    expect(await sender.send(targetOf("full@example.com"), verify)).toMatchObject({
      ok: false,
      gone: false,
      status: 452,
    });
    senderMailer.close();
    const awayMailer = createMailer("smtp://127.0.0.1:1", "a@example.com");
    const away = createMailSender({ mailer: awayMailer, publicUrl: () => "" });
    expect(await away.send(targetOf("ada@example.com"), verify)).toMatchObject({
      ok: false,
      gone: false,
      status: null,
    });
    awayMailer.close();
  });
});
