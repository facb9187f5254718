import assert from 'node:assert/strict';
import type { PreviewTableRow } from '../../../../src/protocol/batchPreview';
import { createRowPages } from '../../../../webview/components/rowPages';

const row = (line: number, text: string): PreviewTableRow => ({
  line,
  text,
  customId: '',
  model: '',
  count: '',
  tone: 'plain',
  size: '',
  problems: { error: 0, warning: 0, hint: 0 },
});

describe('The loaded rows of a page', () => {
  function rig() {
    const asked: number[] = [];
    const said = { text: 'first' };
    const pages = createRowPages(
      async (from, count) => {
        asked.push(from);
        const { text } = said;
        return Array.from({ length: count }, (_, index) => row(from + index, text));
      },
      (error) => assert.fail(String(error)),
    );
    const drawn = (index: number) => pages.drawn(index, index + 1)[0]?.row;
    return { asked, said, pages, drawn };
  }

  it('are requested in pages, each once', async () => {
    const { asked, pages, drawn } = rig();
    pages.want(40, 80);
    pages.want(45, 85);
    assert.equal(drawn(70), undefined);
    assert.equal((await pages.fetch(70))?.line, 70);
    assert.equal(drawn(70)?.line, 70);
    assert.deepEqual(asked, [0, 50]);
  });

  it('stay rendered until others replace them', async () => {
    const { said, pages, drawn } = rig();
    await pages.fetch(3);
    said.text = 'second';
    pages.forget();
    assert.equal(drawn(3)?.text, 'first');
    await pages.fetch(3);
    assert.equal(drawn(3)?.text, 'second');
  });

  it('are loaded again where they are in view, and replaced at once', async () => {
    const { asked, said, pages, drawn } = rig();
    pages.want(210, 230);
    await pages.fetch(210);
    said.text = 'second';
    const show = await pages.renew(1000);
    assert.equal(drawn(210)?.text, 'first');
    show();
    assert.equal(drawn(210)?.text, 'second');
    pages.want(210, 230);
    // There are fewer rows than before.
    (await pages.renew(30))();
    (await pages.renew(0))();
    assert.deepEqual(asked, [200, 200, 0]);
  });

  it('are released after many others were shown', async () => {
    const { asked, pages } = rig();
    for (let index = 0; index < 3000; index += 50) await pages.fetch(index);
    await pages.fetch(0);
    assert.equal(asked.filter((from) => from === 0).length, 2);
    await pages.fetch(2950);
    assert.equal(asked.filter((from) => from === 2950).length, 1);
  });

  it('are empty beyond the end', async () => {
    const pages = createRowPages(
      async () => [],
      () => undefined,
    );
    assert.equal(await pages.fetch(7), undefined);
  });
});
