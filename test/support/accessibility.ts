import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
}

/** Returns axe's violations in the page, optionally only for `rules`. */
export async function accessibilityFaults(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  // Evaluated by the browser's debugger, which the page's content security policy doesn't affect.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  const result = await page.evaluate(async (only) => {
    const { axe } = window as unknown as { axe: { run(about: Document, options: object): Promise<AxeResult> } };
    return axe.run(document, { resultTypes: ['violations'], ...(only && { runOnly: only }) });
  }, rules);
  return result.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html}\n${node.failureSummary}`).join('\n')}`,
  );
}
