// Whether the store can be used: what its errors mean.
export { isDiskFull, isStoreAway } from "../../store/faults.ts";
