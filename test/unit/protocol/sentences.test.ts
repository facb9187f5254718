import { equal } from 'node:assert/strict';
import { labelled, sentence, sentences, titled } from '../../../src/protocol/sentences';

describe('sentences', () => {
  it('end with the punctuation of their script, unless they have some', () => {
    equal(sentence('The balance is used up'), 'The balance is used up.');
    equal(sentence('余额已用完'), '余额已用完。');
    for (const text of ['', 'Really?', 'Wait…', '没有发送。', '它说：“不行。”']) equal(sentence(text), text);
  });

  it('are separated by a space if their script has one', () => {
    equal(sentences("The request wasn't sent.", 'Try again.'), "The request wasn't sent. Try again.");
    equal(sentences('未发送任何内容。', '请重试。'), '未发送任何内容。请重试。');
    equal(sentences('未发送任何内容。', 'Rate limit reached.'), '未发送任何内容。Rate limit reached.');
    equal(sentences('Rate limit reached.', '请重试。'), 'Rate limit reached. 请重试。');
    equal(sentences('', 'One.', undefined, '', 'Two.'), 'One. Two.');
    equal(sentences(), '');
  });

  it('follow a heading', () => {
    equal(titled('It failed', 'Try again.'), 'It failed. Try again.');
    equal(titled('失败', '请重试。', ''), '失败。请重试。');
    equal(titled('', '请重试。'), '请重试。');
  });

  it('introduce what follows with the colon of their script', () => {
    equal(labelled('Status', 'normal'), 'Status: normal');
    equal(labelled('状态', 'normal'), '状态：normal');
  });
});
