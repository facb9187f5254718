/** The strings of the page that compares two runs. The page fills in `{0}`. */
export interface BatchCompareStrings {
  readonly title: string;
  readonly table: string;
  readonly runA: string;
  readonly runB: string;
  readonly columnState: string;
  readonly columnId: string;
  readonly columnRequest: string;
  readonly tabs: string;
  readonly tabAll: string;
  readonly tabSame: string;
  readonly tabDifferent: string;
  readonly tabOnlyA: string;
  readonly tabOnlyB: string;
  readonly tabNeither: string;
  readonly loose: string;
  readonly exportPairs: string;
  readonly search: string;
  readonly stopSearch: string;
  readonly reading: string;
  readonly cancel: string;
  readonly readAgain: string;
  readonly noMatch: string;
  readonly noneHere: string;
  readonly details: string;
  readonly goTo: string;
  readonly close: string;
  readonly request: string;
  readonly facts: string;
  readonly differs: string;
}
