// Run as a process of its own by load.ts: writes the base layer to standard output.
import { packBase } from "./base.ts";

await Bun.write(Bun.stdout, packBase());
