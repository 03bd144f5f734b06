// A start that cannot work says why in one line with a hint, and exits with another code than 0.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join, resolve } from "node:path";
import { explainFailure } from "../../server/commands/failure.ts";
import { makeDataFolder, removeDataFolder } from "../connector.ts";
import { freshDatabase } from "../database.ts";

const MAIN = resolve(import.meta.dir, "../../server/main.ts");
const NOBODY = 65534;
const folder = makeDataFolder();
afterAll(() => removeDataFolder(folder));

function start(settings: Record<string, string>, identity: { uid?: number; gid?: number } = {}) {
  const ran = spawnSync(process.execPath, [MAIN, "start"], {
    env: { ...process.env, CONNECTOR_PORT: "0", CONNECTOR_DATA_DIR: folder, ...settings },
    cwd: folder,
    encoding: "utf8",
    timeout: 60_000,
    ...identity,
  });
  return { code: ran.status, lines: ran.stderr.trim().split("\n") };
}

describe("connector start", () => {
  let taken: Server;
  let port = 0;
  beforeAll(async () => {
    taken = createServer();
    await new Promise<void>((listening) => taken.listen(0, "127.0.0.1", listening));
    port = (taken.address() as { port: number }).port;
  });
  afterAll(() => void taken.close());

  test("on a port in use", () => {
    const { code, lines } = start({ CONNECTOR_PORT: String(port) });
    expect(code).toBe(2);
    expect(lines).toEqual([
      `Port ${port} of 127.0.0.1 is in use. Hint: stop the other program, or set another CONNECTOR_PORT.`,
    ]);
  });

  test("with a data folder that cannot be written", () => {
    const closed = join(folder, "closed");
    mkdirSync(closed);
    chmodSync(closed, 0o555);
    const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
    const { code, lines } = start({ CONNECTOR_DATA_DIR: join(closed, "data") }, identity);
    expect([code, lines]).toEqual([2, [expect.stringMatching(/cannot be written: permission denied\. Hint: /)]]);
  });

  test("with a data folder below a file", () => {
    writeFileSync(join(folder, "file"), "");
    const { code, lines } = start({ CONNECTOR_DATA_DIR: join(folder, "file", "data") });
    expect([code, lines]).toEqual([2, [expect.stringMatching(/a part of the path is a file\. Hint: /)]]);
  });

  test("with a store that a newer version has migrated", async () => {
    const url = await freshDatabase();
    const sql = new SQL(url);
    await sql`insert into migrations (name, checksum) values ('9999-later', 'x')`;
    await sql.close();
    const { code, lines } = start({ CONNECTOR_DATABASE_URL: url, CONNECTOR_DATA_DIR: join(folder, "ahead") });
    expect([code, lines]).toEqual([2, [expect.stringMatching(/is ahead: migration 9999-later .*Hint: /)]]);
  });

  test("with the data folder of a newer PostgreSQL", () => {
    const newer = join(folder, "newer");
    mkdirSync(join(newer, "postgres"), { recursive: true });
    writeFileSync(join(newer, "postgres", "PG_VERSION"), "99\n");
    const { code, lines } = start({ CONNECTOR_DATA_DIR: newer });
    expect([code, lines]).toEqual([2, [expect.stringMatching(/was made by PostgreSQL 99.*Hint: /)]]);
  });
});

/** Only root may mount, and not in every container. */
const canMount =
  process.getuid?.() === 0 &&
  spawnSync("unshare", ["-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], { stdio: "ignore" }).status === 0;

describe("a full disk", () => {
  test("is named, whoever met it: a write of ours, initdb or PostgreSQL", () => {
    const ours = Object.assign(new Error("ENOSPC: no space left on device, write"), {
      code: "ENOSPC",
      path: "/d/secret",
    });
    expect(explainFailure(ours)?.message).toBe(
      "The disk is full: /d/secret cannot be written. Hint: free some space, then start again.",
    );
    const initdb = new Error("initdb: error: could not write to file: No space left on device");
    expect(explainFailure(initdb)?.message).toMatch(/^The disk is full: .*Hint: /);
  });

  test.skipIf(!canMount)("stops the first start with one line", () => {
    const disk = join(folder, "disk");
    mkdirSync(disk);
    expect(spawnSync("mount", ["-t", "tmpfs", "-o", "size=8m,mode=755", "tmpfs", disk]).status).toBe(0);
    try {
      const { code, lines } = start({ CONNECTOR_DATA_DIR: join(disk, "data") });
      expect([code, lines]).toEqual([2, [expect.stringMatching(/^The disk is full: .*Hint: /)]]);
    } finally {
      spawnSync("umount", ["-l", disk]);
    }
  });

  test("an unknown failure keeps its stack trace", () => expect(explainFailure(new Error("else"))).toBeNull());
});
