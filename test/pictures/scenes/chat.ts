import type { Locator } from 'playwright-core';
import { chatOf } from '../../support/chatJourney';
import { until } from '../../support/until';
import type { Scene } from '../scene';

export const chat: Scene = async ({ desk, openFile, makeHigher, lines }) => {
  await makeHigher(100);
  await openFile('orders.py');
  await desk.openChat();
  await desk.widenSideBar(510);
  const { counted, lastTurn, ...talk } = chatOf(desk);
  await talk.ask('Write a Python function that retries a call with growing pauses.');
  await counted.waitFor({ timeout: 60_000 });
  const colour = (at: Locator) => at.evaluate((span) => getComputedStyle(span).color);
  const word = { hasText: /^def$/ };
  const [inAnswer, inEditor] = [lastTurn.locator('pre span', word).first(), lines.locator('span', word).first()];
  // Until the setting names the new theme, the answer has the colors of the theme that is preferred for its kind.
  return () =>
    until(
      async () => (await colour(inAnswer)) === (await colour(inEditor)) || undefined,
      'code in the colors of the theme',
    ).then(() => undefined);
};
