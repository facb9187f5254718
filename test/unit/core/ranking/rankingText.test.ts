import { deepEqual, equal } from 'node:assert/strict';
import { rankingText } from '../../../../src/core/ranking/rankingText';

const ranking = {
  query: 'q',
  model: 'm',
  documents: [
    { rank: 1, score: 0.98, text: 'a | b\r\nwith `code` <b> & [link](x)', place: 'notes_of_me.md:3', index: 4 },
    { rank: 2, score: -1.5e-7, text: 'last\\', place: '', index: 0 },
  ],
};

describe('a copied ranking', () => {
  it('is a numbered list with lines kept in their items', () => {
    equal(rankingText(ranking, 'list'), '1. a | b\n   with `code` <b> & [link](x)\n2. last\\\n');
  });

  it('is a Markdown table with escaped cells', () => {
    equal(
      rankingText(ranking, 'markdownTable'),
      [
        '| Rank | Score | Document | Location |',
        '| ---: | ---: | --- | --- |',
        String.raw`| 1 | 0.98 | a \| b<br>with \`code\` \<b\> \& \[link\](x) | notes\_of\_me.md:3 |`,
        String.raw`| 2 | -1.5e-7 | last\\ |  |`,
        '',
      ].join('\n'),
    );
  });

  it('is JSON with all details', () => {
    deepEqual(JSON.parse(rankingText(ranking, 'json')), ranking);
  });
});
