import { chatOf } from '../../support/chatJourney';
import { until } from '../../support/until';
import type { Scene } from '../scene';

export const chat: Scene = async ({ desk, openFile, makeHigher }) => {
  await makeHigher(100);
  await openFile('orders.py');
  await desk.openChat();
  await desk.widenSideBar(510);
  const { counted, lastTurn, ...talk } = chatOf(desk);
  await talk.ask('Write a Python function that retries a call with growing pauses.');
  await counted.waitFor({ timeout: 60_000 });
  const word = lastTurn.locator('pre span', { hasText: /^def$/ }).first();
  let before = '';
  return async () => {
    before = await until(async () => {
      const colour = await word.evaluate((span) => getComputedStyle(span).color);
      return colour === before ? undefined : colour;
    }, 'code in the colours of the theme');
  };
};
