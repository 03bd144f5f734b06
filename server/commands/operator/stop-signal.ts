// Waits until someone asks the process to stop. Ctrl-C reaches us twice (from the terminal and from the npm that started
// us), so the handlers stay: a second signal must not cut the orderly stop short.
export function stopSignal(): Promise<string> {
  return new Promise((stop) => {
    for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => stop(name));
  });
}
