// Programs that some tests need and npm cannot bring: installed through apt where we are root, else said loudly.
const needed: { command: string; package: string; why: string }[] = [
  { command: "redis-server", package: "redis-server", why: "quotas over several replicas are tested on a real Redis" },
];

export function ensurePackages(): void {
  const missing = needed.filter((n) => Bun.which(n.command) === null);
  if (missing.length === 0) return;
  if (process.getuid?.() === 0 && Bun.which("apt-get")) {
    console.log(`Installing ${missing.map((m) => m.package).join(", ")} …`);
    const quiet = {
      stdout: "ignore",
      stderr: "ignore",
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    } as const;
    Bun.spawnSync(["apt-get", "update"], quiet);
    Bun.spawnSync(["apt-get", "install", "-y", "--no-install-recommends", ...missing.map((m) => m.package)], quiet);
  }
  for (const m of missing.filter((n) => Bun.which(n.command) === null)) {
    console.warn(`SKIPPED: ${m.command} is not installed, and ${m.why}. Hint: install ${m.package}.`);
  }
}
