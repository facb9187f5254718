import { signal } from '@preact/signals';

const pageRows = 100;
/** Further pages are dropped, and fetched again when they come into view. */
const mostPages = 12;

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
}

type Page<Row> = { rows: readonly Row[] | undefined; readonly coming: Promise<void> };

export function createRowPages<Row>(
  load: (from: number, count: number) => Promise<readonly Row[]>,
  failed: (error: unknown) => void,
): RowPages<Row> {
  const version = signal(0);
  let pages = new Map<number, Page<Row>>();
  /** Pages from before the last `forget`, shown until their replacements arrive. */
  let stale = new Map<number, Page<Row>>();

  const pageOf = (number: number): Page<Row> => {
    const known = pages.get(number);
    if (known) return known;
    const owner = pages;
    const coming = load(number * pageRows, pageRows).then((rows) => {
      page.rows = rows;
      if (owner !== pages) return;
      stale.delete(number);
      version.value++;
    }, failed);
    const page: Page<Row> = { rows: undefined, coming };
    pages.set(number, page);
    for (const oldest of pages.keys()) {
      if (pages.size <= mostPages) break;
      pages.delete(oldest);
    }
    return page;
  };
  const at = (index: number): Row | undefined => {
    const number = Math.floor(index / pageRows);
    return (pages.get(number)?.rows ?? stale.get(number)?.rows)?.[index % pageRows];
  };
  return {
    drawn(first, end) {
      // Reads `version` so that the component renders again when it changes.
      return version.value < 0
        ? []
        : Array.from({ length: end - first }, (_, offset) => ({ index: first + offset, row: at(first + offset) }));
    },
    want(first, end) {
      if (end <= first) return;
      for (let number = Math.floor(first / pageRows); number * pageRows < end; number++) pageOf(number);
    },
    async fetch(index) {
      const page = pageOf(Math.floor(index / pageRows));
      await page.coming;
      return page.rows?.[index % pageRows];
    },
    forget() {
      stale = new Map([...pages].filter(([, { rows }]) => rows));
      pages = new Map();
      version.value++;
    },
  };
}
