// The pages in the order of the navigation.

export interface PageEntry {
  name: string;
  title: string;
  load(): Promise<{ default: unknown }>;
}

export const PAGES: PageEntry[] = [
  { name: "home", title: "Home", load: () => import("./pages/home.tsx") },
  { name: "delivery", title: "Delivery", load: () => import("./pages/delivery.tsx") },
  { name: "shopping", title: "Shopping", load: () => import("./pages/shopping.tsx") },
  { name: "stock", title: "Stock", load: () => import("./pages/stock.tsx") },
  { name: "alerts", title: "Alerts", load: () => import("./pages/alerts.tsx") },
  { name: "detector", title: "Detector", load: () => import("./pages/detector.tsx") },
  { name: "platform", title: "Platform", load: () => import("./pages/platform.tsx") },
];
