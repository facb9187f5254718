import { signal } from '@preact/signals';

const pageRows = 100;
/** More are fetched again when they are seen again. */
const mostPages = 12;

/** The rows that were fetched, by pages. */
export interface RowPages<Row> {
  /** What there is of these rows. Whoever draws it is drawn again when rows come. */
  drawn(first: number, end: number): readonly { readonly index: number; readonly row: Row | undefined }[];
  /** Fetches what is missing of these rows. */
  want(first: number, end: number): void;
  /** Resolves with the row; `undefined` where there is none, or all were forgotten meanwhile. */
  fetch(index: number): Promise<Row | undefined>;
  /** What was fetched holds no more. What is drawn stays until what takes its place has come. */
  forget(): void;
}

type Page<Row> = { rows: readonly Row[] | undefined; readonly coming: Promise<void> };

export function createRowPages<Row>(
  load: (from: number, count: number) => Promise<readonly Row[]>,
  failed: (error: unknown) => void,
): RowPages<Row> {
  const version = signal(0);
  let pages = new Map<number, Page<Row>>();
  /** Of before all was forgotten: better than nothing while the others come. */
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
      // Read, so that the drawing depends on it.
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
