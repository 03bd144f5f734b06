// Loaded ahead of a service whose memory is measured: SIGUSR2 collects its garbage, so that what is left is held by somebody.
process.on("SIGUSR2", () => Bun.gc(true));
