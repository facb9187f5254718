import { signal } from '@preact/signals';

/** About what a page shows at once, because each row in it is read from files. */
const pageRows = 50;
/** Further pages are dropped, and fetched again when they come into view. */
const mostPages = 24;

/** The fetched rows, in pages. */
export interface RowPages<Row> {
  /** Returns the rows fetched so far. A component that calls it renders again when more rows arrive. */
  drawn(first: number, end: number): readonly { readonly index: number; readonly row: Row | undefined }[];
  /** Fetches the missing rows of this range. */
  want(first: number, end: number): void;
  /** Resolves to the row, or `undefined` if it doesn't exist or couldn't be loaded. */
  fetch(index: number): Promise<Row | undefined>;
  /** Invalidates all fetched rows. The old ones stay visible until their replacements arrive. */
  forget(): void;
  /**
   * Fetches the rows that are now in view, of `count`. Resolves with a function that replaces all fetched rows with them, so that the caller
   * can show their number at the same time.
   */
  renew(count: number): Promise<() => void>;
}

type Page<Row> = { rows: readonly Row[] | undefined; readonly coming: Promise<void> };

export function createRowPages<Row>(
  load: (from: number, count: number) => Promise<readonly Row[]>,
  failed: (error: unknown) => void,
): RowPages<Row> {
  const version = signal(0);
  let pages = new Map<number, Page<Row>>();
  /** Pages that were replaced, shown until their replacements arrive. */
  let stale = new Map<number, Page<Row>>();
  /** The range that was last in view. */
  let view = { first: 0, end: 0 };

  const pageOf = (number: number, owner = pages): Page<Row> => {
    const known = owner.get(number);
    if (known) return known;
    const coming = load(number * pageRows, pageRows).then((rows) => {
      page.rows = rows;
      if (owner !== pages) return;
      stale.delete(number);
      version.value++;
    }, failed);
    const page: Page<Row> = { rows: undefined, coming };
    dropOldest(owner.set(number, page));
    return page;
  };
  const pagesIn = (first: number, end: number, owner = pages) =>
    pageNumbers(first, end).map((number) => pageOf(number, owner));
  const replace = (fresh: typeof pages) => {
    stale = new Map([...pages].filter(([, { rows }]) => rows));
    pages = fresh;
    version.value++;
  };
  const at = (index: number): Row | undefined => {
    const number = Math.floor(index / pageRows);
    return (pages.get(number)?.rows ?? stale.get(number)?.rows)?.[index % pageRows];
  };
  return {
    drawn(first, end) {
      // Reads `version` so that the component renders again when it changes.
      const length = version.value < 0 ? 0 : end - first;
      return Array.from({ length }, (_, offset) => ({ index: first + offset, row: at(first + offset) }));
    },
    want(first, end) {
      view = { first, end };
      pagesIn(first, end);
    },
    async fetch(index) {
      const page = pageOf(Math.floor(index / pageRows));
      await page.coming;
      return page.rows?.[index % pageRows];
    },
    forget: () => replace(new Map()),
    async renew(count) {
      const fresh = new Map<number, Page<Row>>();
      const end = Math.min(count, Math.max(view.end, 1));
      const loading = pagesIn(Math.max(0, end - (view.end - view.first)), end, fresh);
      await Promise.all(loading.map(({ coming }) => coming));
      return () => replace(fresh);
    },
  };
}

function pageNumbers(first: number, end: number): readonly number[] {
  const from = Math.floor(first / pageRows);
  if (end <= first) return [];
  return Array.from({ length: Math.ceil(end / pageRows) - from }, (_, offset) => from + offset);
}

function dropOldest(pages: Map<number, unknown>): void {
  for (const oldest of pages.keys()) {
    if (pages.size <= mostPages) return;
    pages.delete(oldest);
  }
}
