// Detector: the shapes of batches, which are judged in the background. Data, no logic.
import Type, { type Static } from "typebox";
import { Id, Nullable, Shape, Time } from "../../../contract/shapes.ts";
import { Analysis, ItemError, ItemInput, TERMS } from "./shapes.ts";

const MAX_BATCH_ITEMS = 500;

export const BatchRequest = Shape({
  items: Type.Array(ItemInput, {
    minItems: 1,
    maxItems: MAX_BATCH_ITEMS,
    description: "What to judge; the results keep their order.",
  }),
  ...TERMS,
});
export type BatchRequest = Static<typeof BatchRequest>;

export const Batch = Shape({
  batch_id: Id("bat"),
  status: Type.Enum(["running", "completed"], { description: "completed once every item is judged." }),
  total: Type.Integer({ description: "How many items it has." }),
  done: Type.Integer({ description: "How many are judged." }),
  flagged: Type.Integer({ description: "How many of them are likely_ai." }),
  failed: Type.Integer({ description: "How many could not be judged because of an error." }),
  created_at: Time("When it was asked for."),
  completed_at: Nullable(Time("When its last item was judged.")),
});
export type Batch = Static<typeof Batch>;

export const BatchResult = Shape({
  position: Type.Integer({ description: "Which item of the batch, counted from 0." }),
  result: Type.Union([Analysis, ItemError], { description: "The analysis, or why there is none." }),
});
export type BatchResult = Static<typeof BatchResult>;
