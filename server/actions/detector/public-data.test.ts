// The public samples beside the checkout: images by their metadata, and the deep kernel against the training code's scores.
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describeWithData, sharedData } from "../../../tests/shared-data.ts";
import { perform } from "./background/tasks.ts";

const EXPECTED: Record<string, string> = {
  "c2pa-rs_CA.jpg": "unclear: c2pa edited signature_valid",
  "c2pa-rs_E-sig-CA.jpg": "unclear: c2pa edited signature_invalid",
  "c2pa-rs_IMG_0003.jpg": "unclear: ",
  "c2pats_amazon-titan-g1.png": "likely_ai: c2pa ai_generated signature_valid",
  "exiftool_XMP.jpg": "unclear: ",
  "sdmeta_comfyui-saveimage-plus.jpg": "likely_ai: generator_parameters ai_generated unverified",
  "sdmeta_forge-classic-en.png": "likely_ai: generator_parameters ai_generated unverified",
  "sdmeta_gimp.jpg": "unclear: ",
  "sdmeta_sd-webui.jpg": "likely_ai: generator_parameters ai_generated unverified",
};

describeWithData("detector/media", "sample images", () => {
  const folder = join(sharedData, "detector/media");
  for (const name of readdirSync(folder).filter((file) => file in EXPECTED)) {
    test(`${name} is what its metadata says`, async () => {
      const base64 = Buffer.from(await Bun.file(join(folder, name)).bytes()).toString("base64");
      const outcome = await perform({ kind: "image", base64 });
      if (!outcome.ok) throw new Error(outcome.detail);
      const { verdict, provenance } = outcome.result;
      expect(`${verdict}: ${provenance.claims.map((c) => `${c.kind} ${c.says} ${c.trust}`).join(", ")}`).toBe(
        EXPECTED[name],
      );
    });
    test(`${name} cut in half is refused or read without a false claim`, async () => {
      const file = await Bun.file(join(folder, name)).bytes();
      const outcome = await perform({
        kind: "image",
        base64: Buffer.from(file.subarray(0, file.length >> 1)).toString("base64"),
      });
      if (!outcome.ok) expect(outcome.detail).toMatch(/truncated|ends at/);
      else expect(outcome.result.verdict).not.toBe("likely_human");
    });
  }
});
