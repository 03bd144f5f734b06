import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ConfigError, describeSettings, readConfig, settings } from "./config.ts";

const none = "/no/such/file";

describe("configuration", () => {
  test("defaults hold when nothing is set", () => {
    expect(readConfig({}, none)).toMatchObject({ PORT: 8080, HOST: "127.0.0.1", DATA_DIR: "./data" });
  });

  test("all faults come together, each with its hint", () => {
    const given = {
      CONNECTOR_PORT: "eighty",
      CONNECTOR_LOG: "inof",
      CONNECTOR_DATADIR: "x",
      CONNECTOR_DATABASE_POOL: "0",
    };
    try {
      readConfig(given, none);
      expect.unreachable();
    } catch (error) {
      const { faults } = error as ConfigError;
      expect(faults.length).toBe(4);
      expect(faults.join("\n")).toContain("Did you mean CONNECTOR_DATA_DIR?");
      expect(faults.join("\n")).toContain("Did you mean info?");
    }
  });

  test("the environment wins over the file; the file has the same names in lower case", () => {
    const folder = mkdtempSync(join(tmpdir(), "connector-config-"));
    const file = join(folder, "connector.toml");
    writeFileSync(file, 'port = 9000\nhost = "0.0.0.0"\ncors_origins = ["https://a.example"]\n');
    expect(readConfig({ CONNECTOR_PORT: "9001" }, file)).toMatchObject({
      PORT: 9001,
      HOST: "0.0.0.0",
      CORS_ORIGINS: ["https://a.example"],
    });
    writeFileSync(file, "prot = 1\n");
    expect(() => readConfig({}, file)).toThrow(/prot in .*Did you mean port\?/);
    writeFileSync(file, "port = = 1\n");
    expect(() => readConfig({}, file)).toThrow(/is not TOML.*Hint/);
    rmSync(folder, { recursive: true });
  });

  test("what a client reads from the same shell is no setting and no fault", () => {
    const environment = {
      CONNECTOR_URL: "http://127.0.0.1:8080",
      CONNECTOR_API_KEY: "acn_test_x",
      CONNECTOR_PROFILE: "a",
    };
    expect(readConfig(environment, "none.toml")).toEqual(readConfig({}, "none.toml"));
    expect(() => readConfig({ CONNECTOR_API_KEYS: "x" }, "none.toml")).toThrow("CONNECTOR_API_KEYS is not a setting");
  });

  test("a secret is never printed back", () => {
    expect(() =>
      readConfig({ CONNECTOR_DATABASE_URL: "postgres://u:hunter2@h/d", CONNECTOR_PORT: "x" }, none),
    ).not.toThrow(/hunter2/);
  });

  test("every setting is described", () => {
    expect(describeSettings().length).toBe(Object.keys(settings).length);
    expect(describeSettings().every((s) => s.doc.length > 10)).toBe(true);
  });
});
