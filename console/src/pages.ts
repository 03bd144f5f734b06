// The pages in the order of the navigation.

export interface PageEntry {
  name: string;
  title: string;
  /** Shown only to keys with the scope admin. */
  operator?: true;
  load(): Promise<{ default: unknown }>;
}

export const PAGES: PageEntry[] = [
  { name: "home", title: "Home", load: () => import("./pages/home.tsx") },
  { name: "delivery", title: "Delivery", load: () => import("./pages/delivery/index.tsx") },
  { name: "shopping", title: "Shopping", load: () => import("./pages/shopping/index.tsx") },
  { name: "stock", title: "Stock", load: () => import("./pages/stock.tsx") },
  { name: "alerts", title: "Alerts", load: () => import("./pages/alerts/index.tsx") },
  { name: "detector", title: "Detector", load: () => import("./pages/detector/index.tsx") },
  { name: "platform", title: "Platform", load: () => import("./pages/platform/index.tsx") },
  { name: "operator", title: "Operator", operator: true, load: () => import("./pages/operator.tsx") },
];
