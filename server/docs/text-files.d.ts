// Files that are imported as text (`with { type: "text" }`).
declare module "*.md" {
  const text: string;
  export default text;
}
declare module "*.css" {
  const text: string;
  export default text;
}
declare module "*.svg" {
  const text: string;
  export default text;
}
declare module "*.client.txt" {
  const text: string;
  export default text;
}
