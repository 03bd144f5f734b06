// Delivery: the list, the fleet board, one delivery, and the form that estimates while typing.
import { Tabs } from "../../ui.tsx";
import { Board } from "./board.tsx";
import { Form } from "./form.tsx";
import { List } from "./list.tsx";
import { One } from "./one.tsx";

const PARTS = { list: "Deliveries", board: "Fleet board", new: "Schedule" };

export default function DeliveryPage({ id }: { id: string | null }) {
  const part = id === "board" || id === "new" ? id : "list";
  return (
    <>
      <h1>Delivery</h1>
      <Tabs label="Parts of delivery" page="delivery" parts={PARTS} current={part} />
      {id === "board" && <Board />}
      {id === "new" && <Form />}
      {part === "list" && (id && id !== "list" ? <One id={id} key={id} /> : <List />)}
    </>
  );
}
