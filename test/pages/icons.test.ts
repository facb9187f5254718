import assert from 'node:assert/strict';
import { iconNames } from '../../webview/components/iconNames';
import { chatPages } from '../support/chatPages';

describe('the icons of the pages', () => {
  const openPage = chatPages();

  it('are all in the font that is built for them', async () => {
    const { page } = await openPage();
    const missing = await page.evaluate(async (names) => {
      await document.fonts.load('32px codicon');
      const canvas = Object.assign(document.createElement('canvas'), { width: 48, height: 48 });
      const context = canvas.getContext('2d', { willReadFrequently: true })!;
      const drawn = (text: string) => {
        context.clearRect(0, 0, 48, 48);
        context.font = '32px codicon';
        context.fillText(text, 4, 40);
        return context.getImageData(0, 0, 48, 48).data.join();
      };
      // No font has a sign for this: it is drawn as any sign that is missing.
      const absent = [drawn(''), drawn('\u{10fffe}')];
      return names.filter((name) => {
        const icon = Object.assign(document.createElement('span'), { className: `codicon codicon-${name}` });
        document.body.append(icon);
        const { content } = getComputedStyle(icon, '::before');
        icon.remove();
        return content === 'none' || absent.includes(drawn(content.slice(1, -1)));
      });
    }, iconNames);
    assert.deepEqual(missing, []);
  });
});
