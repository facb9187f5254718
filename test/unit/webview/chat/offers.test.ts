import assert from 'node:assert/strict';
import type { Offer } from '../../../../src/protocol/chatOffers';
import { mentionAt, withoutWord } from '../../../../webview/screens/chat/mention';
import { createOffers } from '../../../../webview/screens/chat/attachments';
import type { ChatHost } from '../../../../webview/screens/chat/chatHost';

const offer = (name: string): Offer => ({ id: name, kind: 'file', group: 'Files', name, detail: '' });

interface Search {
  readonly query: string;
  readonly signal: AbortSignal;
  readonly answer: (offers: readonly Offer[]) => Promise<void>;
}

/** A host that notes searches and answers them when told to. */
function createSearches() {
  const searches: Search[] = [];
  let begun = () => {};
  const call = (_: string, { query }: { query: string }, { signal }: { signal: AbortSignal }) =>
    new Promise((resolve) => {
      const answer = async (offers: readonly Offer[]) => {
        resolve({ offers });
        await new Promise(setImmediate);
      };
      searches.push({ query, signal, answer });
      begun();
    });
  const next = () => new Promise<Search>((resolve) => (begun = () => resolve(searches.at(-1)!)));
  const offers = createOffers({ call } as unknown as ChatHost, (work) => work, {
    matching: () => [],
    take: () => false,
  });
  return { offers, searches, next };
}

describe('a # word', () => {
  it('contains the cursor and begins with # or ＃ after any character but another #', () => {
    const isInWord = false;
    assert.deepEqual(mentionAt('#ab', 3), { sign: '#', start: 0, end: 3, query: 'ab', isInWord });
    assert.deepEqual(mentionAt('see #src/chat now', 9), { sign: '#', start: 4, end: 13, query: 'src/', isInWord });
    assert.deepEqual(mentionAt('line\n#x', 7), { sign: '#', start: 5, end: 7, query: 'x', isInWord });
    assert.deepEqual(mentionAt('请看＃', 3), { sign: '#', start: 2, end: 3, query: '', isInWord });
    assert.deepEqual(mentionAt('解释（＃报告', 6), { sign: '#', start: 3, end: 6, query: '报告', isInWord });
    assert.deepEqual(mentionAt('カナ#a', 4), { sign: '#', start: 2, end: 4, query: 'a', isInWord });
    for (const text of ['##', '＃#', '# heading']) assert.equal(mentionAt(text, text.length), undefined);
    assert.equal(mentionAt('#ab', 0), undefined);
  });

  it('is marked as part of a word after a letter or digit', () => {
    for (const text of ['C#', 'a#b', 'https://example.com/x#part', '12#', '用 F＃'])
      assert.equal(mentionAt(text, text.length)?.isInWord, true, text);
  });

  it("doesn't include the Chinese sentence after the cursor", () => {
    assert.deepEqual(withoutWord('看看#main的问题', mentionAt('看看#main的问题', 5)!), {
      text: '看看的问题',
      cursor: 2,
    });
    assert.deepEqual(withoutWord('看看#的问题', mentionAt('看看#的问题', 3)!), { text: '看看的问题', cursor: 2 });
  });

  it('is removed with one of the blanks around it', () => {
    const without = (text: string, cursor: number) => withoutWord(text, mentionAt(text, cursor)!);
    assert.deepEqual(without('a #b c', 4), { text: 'a c', cursor: 2 });
    assert.deepEqual(without('#b c', 2), { text: 'c', cursor: 0 });
    assert.deepEqual(without('a #b', 4), { text: 'a ', cursor: 2 });
    assert.deepEqual(without('a\n#b\nc', 4), { text: 'a\n\nc', cursor: 2 });
  });
});

describe('a command', () => {
  it('begins with a slash at the start of the text or after a space', () => {
    const isInWord = false;
    assert.deepEqual(mentionAt('/fi', 3), { sign: '/', start: 0, end: 3, query: 'fi', isInWord });
    assert.deepEqual(mentionAt('请看 ／', 4), { sign: '/', start: 3, end: 4, query: '', isInWord });
    assert.deepEqual(mentionAt('first\n/do it', 8), { sign: '/', start: 6, end: 9, query: 'd', isInWord });
  });

  it('is possible directly after a Chinese character, where Enter still sends', () => {
    assert.deepEqual(mentionAt('请看/fi这', 5), { sign: '/', start: 2, end: 5, query: 'fi', isInWord: true });
    assert.deepEqual(mentionAt('好，/', 3), { sign: '/', start: 2, end: 3, query: '', isInWord: true });
  });

  it("isn't part of a path, a URL, or an alternative", () => {
    for (const text of ['src/core', 'and/or', 'https://', '/etc/hosts', '1/2'])
      assert.equal(mentionAt(text, text.length), undefined, text);
  });
});

describe('the list of a # word', () => {
  it('ends a search when more is typed, and shows only the last result', async () => {
    const { offers, next } = createSearches();
    let begun = next();
    offers.follow('#', 1);
    const first = await begun;
    begun = next();
    offers.follow('#a', 2);
    assert.equal(first.signal.aborted, true);
    const second = await begun;
    await first.answer([offer('old')]);
    assert.deepEqual(offers.found.value, []);
    await second.answer([offer('new')]);
    assert.deepEqual([second.query, offers.found.value], ['a', [offer('new')]]);
  });

  it('searches once for quickly typed text, and not again while the cursor rests', async () => {
    const { offers, searches, next } = createSearches();
    let begun = next();
    offers.follow('#', 1);
    await begun;
    begun = next();
    for (const text of ['#a', '#ab', '#abc']) offers.follow(text, text.length);
    await begun;
    offers.follow('#abc', 4);
    assert.deepEqual(
      searches.map(({ query }) => query),
      ['', 'abc'],
    );
  });

  it('preselects its first entry, but not for a # within a word, where Enter sends', async () => {
    for (const [text, active] of [
      ['看#', 0],
      ['C#', -1],
    ] as const) {
      const { offers, next } = createSearches();
      const begun = next();
      offers.follow(text, 2);
      await (await begun).answer([offer('a')]);
      assert.deepEqual([offers.found.value.length, offers.active.value], [1, active]);
    }
  });

  it('ends its search when the word is left', async () => {
    const { offers, next } = createSearches();
    const begun = next();
    offers.follow('#', 1);
    const search = await begun;
    offers.follow('# ', 2);
    assert.equal(search.signal.aborted, true);
    await search.answer([offer('late')]);
    assert.deepEqual(offers.found.value, []);
  });
});
