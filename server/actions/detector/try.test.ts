// `connector try detect`: the engine over rows and files, with faults with a hint.
import { describe, expect, test } from "bun:test";
import { HUMAN, MACHINE } from "./engine/fixtures/samples.ts";
import { tries } from "./try.ts";

const row = (fields: object) => tries.detect.askRow(fields, {}) as Promise<any>;

describe("connector try detect", () => {
  test("rows of content or text, with the id they came with", async () => {
    expect(await row({ id: 7, text: MACHINE, detail: "basic" })).toMatchObject({
      id: 7,
      verdict: "likely_ai",
      segments: [],
    });
    expect(await row({ content: HUMAN })).toMatchObject({ verdict: "likely_human", model: { name: "light" } });
    expect(await row({ content: MACHINE, sensitivity: "0.05" })).toMatchObject({
      operating_point: { sensitivity: "0.05" },
    });
  });

  test("a text, a file, and an image that is none", async () => {
    expect(await tries.detect.ask([MACHINE], {})).toMatchObject({ verdict: "likely_ai" });
    expect(await tries.detect.ask([import.meta.path], {})).toMatchObject({ abstained_because: "code" });
    expect(await row({ media: "R0lGODlhAQABAAAAACw=" })).toEqual({ error: "This is not a PNG, JPEG or WebP file" });
  });

  test("what is wrong with a row is said", async () => {
    await expect(row({})).rejects.toThrow("a row needs content");
    await expect(row({ content: HUMAN, sensitivity: "0.3" })).rejects.toThrow("sensitivity is one of 0.002");
    await expect(row({ content: HUMAN, detail: "dep" })).rejects.toThrow("detail is one of basic");
    await expect(Promise.try(() => tries.detect.ask(["/no/such/file"], {}))).rejects.toThrow("no such file");
  });
});
