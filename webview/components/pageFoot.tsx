import type { ComponentChildren } from 'preact';
import './pageFoot.css';

export interface PageFootProps {
  readonly text: string;
  /** Keys of the table above, with their actions. Omitted on narrow pages. */
  readonly keys: readonly (readonly [key: string, action: string])[];
  readonly children?: ComponentChildren;
}

/** The last line of a page with a table: a fact, further actions, and the keys. */
export function PageFoot({ text, keys, children }: PageFootProps) {
  return (
    <footer class="page-foot">
      <span class="page-foot-text" title={text}>
        {text}
      </span>
      {children}
      {keys.map(([key, action]) => (
        <span class="page-foot-key" aria-hidden="true" key={key}>
          <kbd>{key}</kbd> {action}
        </span>
      ))}
    </footer>
  );
}
