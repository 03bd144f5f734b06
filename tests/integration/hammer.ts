// A process of its own that asks the shared quota as fast as it can and prints when it was admitted, by Redis's clock.
// Run by quota.test.ts until it was admitted so often: bun hammer.ts URL SUBJECT LIMIT WINDOW_MS ADMISSIONS
import { createRedisLimits } from "../../server/platform/limits/index.ts";

const [url, subject, limit, windowMs, wanted] = process.argv.slice(2);
const limits = await createRedisLimits({
  url,
  windowMs: Number(windowMs),
  without: "closed",
  onUndecided: () => {},
  onLost: (reason) => {
    throw new Error(reason);
  },
  onBack: () => {},
});
let admitted = 0;
while (admitted < Number(wanted)) if ((await limits.admit(subject, Number(limit))).admitted) admitted++;
console.log(admitted);
await limits.close();
process.exit(0);
