import type { Page } from 'playwright-core';
import type { RerankScreen } from '../../src/protocol/rerank';
import type { Responder } from '../../src/protocol/responder';
import { asksOf } from './asks';
import { createRerankHost, rerankModels } from './rerankHost';
import type { RerankHost, RerankTexts } from './rerankHost';
import { screenPages } from './screenPages';
import type { Say, Theme } from './webviewPage';

export const rerankTexts = [
  'Retries honour Retry-After up to 60 s and never repeat a paid call.',
  'A broken stream is kept as it is and offered to be continued.',
  'Timeouts are told apart: connect, first byte, idle, total.',
  'يُحفظ المفتاح في مخزن الأسرار ولا يُكتب في أي سجل.',
  '密钥保存在编辑器的机密存储中，从不写入日志或错误消息。',
  `A paragraph of many words. ${'It goes on about files, limits and the order of things. '.repeat(90)}`,
];

/** The third text is the best, then the first. The order is reversed for every model but the first. */
const scores = [0.771, 0.304, 0.982, 0.0204, 0.119, 0.0011];

export function rerankScore(index: number, model: string): number {
  const own = scores[index % scores.length] ?? 0;
  return model === rerankModels[0].id ? own : 1 - own;
}

export const rerankQuery = 'which timeouts are there';

export interface RerankLooks extends Partial<RerankTexts> {
  readonly theme?: Theme;
  readonly width?: number;
  readonly height?: number;
}

/** For a suite about the rerank page, called once in its `describe`. */
export function rerankPages(say?: Say) {
  const openPage = screenPages(say);

  return async ({ theme = 'dark', width = 1100, height = 720, ...texts }: RerankLooks = {}) => {
    const ours = createRerankHost({ texts: rerankTexts, score: rerankScore, ...texts });
    const one = await openPage('rerank', { theme, width, height, handlers: ours.handlers });
    return rerankPage(one.page, one.host, ours);
  };
}

/** Locates and operates the parts of the page. */
function rerankPage(page: Page, host: Responder<RerankScreen>, ours: RerankHost) {
  const box = page.getByRole('textbox', { name: 'Query' });
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const rows = page.locator('.virtual-rows .virtual-row');
  return {
    page,
    host,
    ours,
    box,
    button,
    grid: page.getByRole('grid'),
    tab: (name: string) => page.getByRole('tab', { name }),
    details: page.getByRole('complementary'),
    option: (name: RegExp) => page.getByRole('dialog').getByRole('textbox', { name }),
    /** The row at a position, from 0. */
    row: (at: number) => page.locator(`#row-${at}`),
    rows,
    /** Returns the text of a cell in the row at a position. */
    cell: async (at: number, name: string) => page.locator(`#row-${at} .rerank-cell-${name}`).innerText(),
    asks: asksOf(ours.asked),
    spoken: (text: string | RegExp) =>
      page.locator('.spoken[role=status] p', { hasText: text }).first().waitFor({ state: 'attached' }),
    run: async () => {
      await box.fill(rerankQuery);
      await button('Rerank').click();
      await page.locator('.ranking-row .score-number').first().waitFor();
    },
  };
}
