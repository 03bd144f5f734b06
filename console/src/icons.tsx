// The icons of the navigation: one path each, drawn in the colour of the text.

const PATHS: Record<string, string> = {
  home: "M3 10.5 12 3l9 7.5M5.5 9v11h13V9M10 20v-6h4v6",
  delivery: "M2 6h12v10H2zM14 10h4l4 3v3h-8zM6.5 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4M17.5 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4",
  shopping: "M4 7h16l-1.2 13H5.2zM8.5 10V6a3.5 3.5 0 0 1 7 0v4",
  stock: "M3 3v18h18M7 15l4-5 3 3 6-8",
  alerts: "M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4",
  detector: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14M16 16l5 5M8.5 11h5M11 8.5v5",
  platform: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  operator: "M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6zM9 12l2 2 4-4",
};

export function Icon({ name }: { name: string }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name] ?? ""} />
    </svg>
  );
}
