import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  questionText,
  attachedText,
  characterCount,
  imageAttachment,
  readAttachments,
  readImage,
} from '../../../../src/core/conversation/attachment';
import type { Attachment } from '../../../../src/core/conversation/attachment';
import { chatWayOf, messagesWith } from '../../../../src/core/api/chat/chatWays';
import { toChatBody } from '../../../../src/core/api/chat/toChatCompletion';
import { conversationFacts } from '../../../../src/core/conversation/conversationFacts';
import { toMarkdown } from '../../../../src/core/conversation/export/conversationText';
import { readRecords, toLines } from '../../../../src/core/conversation/record';
import type { ConversationRecord } from '../../../../src/core/conversation/record';
import { compactTurns } from '../../../../src/core/conversation/requestMessages';
import { createTranscript } from '../../../../src/core/conversation/transcript';

const loops: Attachment = {
  kind: 'selection',
  label: 'src/parse.ts:4-6',
  language: 'typescript',
  text: 'for (;;) {\n}\n',
  tokens: 6,
};
const asked: ConversationRecord = {
  kind: 'question',
  id: 'q',
  parent: null,
  at: 1,
  text: 'Why?',
  attachments: [loops, { ...loops, kind: 'problems', label: 'Problems in a.ts', language: '', text: '1:1 error: x' }],
};
const sent = 'src/parse.ts:4-6\n```typescript\nfor (;;) {\n}\n```\n\nProblems in a.ts\n```\n1:1 error: x\n```\n\nWhy?';

/** An image of one pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  'base64',
);

describe('an image attached to a question', () => {
  const image = readImage(png)!;
  const shot = imageAttachment('shots/`a`\nb.png', image);
  const withImage: ConversationRecord = { ...asked, attachments: [loops, shot] };
  const ofText = 'src/parse.ts:4-6\n```typescript\nfor (;;) {\n}\n```\n\nWhy?';
  const content = [
    { type: 'text', text: '[Image: shots/ a b.png]' },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png.toString('base64') } },
    { type: 'text', text: ofText },
  ];

  it('is sent after its label and before the text, and counts as the tokens of its size', () => {
    const turns = createTranscript([withImage]).turns();
    assert.deepEqual(compactTurns(turns, 10).messages, [{ role: 'user', content }]);
    const wide = Buffer.from(png);
    wide.writeUInt32BE(2800, 16);
    wide.writeUInt32BE(280, 20);
    assert.equal(imageAttachment('a', readImage(wide)!).tokens, 1000);
  });

  it('is sent alone if there is no text, and names the conversation', () => {
    const transcript = createTranscript([{ ...withImage, text: '', attachments: [shot] }]);
    assert.deepEqual(compactTurns(transcript.turns(), 10).messages, [{ role: 'user', content: content.slice(0, 2) }]);
    assert.equal(transcript.title, 'shots/`a`');
    assert.equal(conversationFacts([{ ...withImage, text: '', attachments: [shot] }]).title, transcript.title);
  });

  it('is sent to services with chat completions as image_url, and to Anthropic as a source', () => {
    const { messages } = compactTurns(createTranscript([withImage]).turns(), 10);
    const request = { model: 'm', max_tokens: 10, messages };
    const [said] = toChatBody(request).messages;
    assert.deepEqual(said?.content, [
      { type: 'text', text: '[Image: shots/ a b.png]' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${png.toString('base64')}` } },
      { type: 'text', text: ofText },
    ]);
    assert.deepEqual(messagesWith(request, chatWayOf('anthropic')), request);
  });

  it('is sent with a conversation whose earlier turns are compacted', () => {
    const records: ConversationRecord[] = [withImage];
    for (let at = 0; at < 5; at++) {
      const question = at === 0 ? 'q' : `q${at}`;
      if (at > 0)
        records.push({ kind: 'question', id: question, parent: at === 1 ? 'q' : `q${at - 1}`, at, text: 'On' });
      records.push(
        { kind: 'answer', id: `a${at}`, question, at, model: 'm' },
        { kind: 'block', answer: `a${at}`, index: 0, type: 'text' },
        { kind: 'piece', answer: `a${at}`, index: 0, from: 0, text: 'Yes' },
        { kind: 'end', answer: `a${at}`, at, end: { state: 'done' } },
      );
    }
    const { messages, compacted } = compactTurns(createTranscript(records).turns(), 5);
    assert.ok(compacted > 0);
    assert.equal(JSON.stringify(messages).split(png.toString('base64')).length, 2);
  });

  it('is loaded from the history, and omitted if it is damaged', () => {
    const turn = createTranscript(readRecords(toLines([withImage]))).turns()[0];
    assert.deepEqual(turn?.attachments, [loops, shot]);
    const damaged = [
      { ...shot, image: undefined },
      { ...shot, image: {} },
      { ...loops, image },
      { ...shot, image: 'x' },
    ];
    assert.deepEqual(readAttachments(damaged), []);
    assert.deepEqual(readAttachments([{ ...shot, image: { ...image, mediaType: 'image/svg+xml' } }]), []);
  });

  it('is recognized by its content, and named in an export as Markdown', () => {
    assert.deepEqual([image.mediaType, image.width, image.height], ['image/png', 1, 1]);
    for (const bytes of [Buffer.from('not an image'), Buffer.from('<svg width="1" height="1"/>'), Buffer.alloc(0)])
      assert.equal(readImage(bytes), undefined);
    assert.equal(readImage(png.subarray(0, 8)), undefined);
    const markdown = toMarkdown(createTranscript([withImage]).turns());
    assert.match(markdown, /\[Image: shots\/ a b\.png\]/);
    assert.doesNotMatch(markdown, /iVBOR/);
  });
});

describe('an attachment of a question', () => {
  it('is sent before it, fenced under its label', () => {
    const { messages } = compactTurns(createTranscript([asked]).turns(), 10);
    assert.deepEqual(messages, [{ role: 'user', content: sent }]);
    assert.equal(questionText('Why?'), 'Why?');
  });

  it("is loaded from the history, and doesn't hide the question from earlier versions", () => {
    const records = readRecords(toLines([asked]));
    assert.deepEqual(createTranscript(records).turns()[0]?.attachments, asked.attachments);
    assert.equal(createTranscript(records).turns()[0]?.question, 'Why?');
  });

  it('is omitted if a line of the history is damaged, and the question is kept', () => {
    for (const damaged of [null as unknown, 'x', {}, [null], [{ ...loops, text: 1 }], [{ ...loops, kind: 'other' }]]) {
      const line: string = `${JSON.stringify({ ...asked, attachments: damaged })}\n`;
      const turn = createTranscript(readRecords(line)).turns()[0];
      assert.deepEqual([turn?.question, turn?.attachments], ['Why?', []]);
    }
    assert.deepEqual(readAttachments([loops, 'torn']), [loops]);
  });

  it("can't close its own fence or add text through its label", () => {
    const text = fc.array(fc.constantFrom('`', '``', '```', '````', '\n', 'a', ' ')).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, (inside, label) => {
        const lines = attachedText({ ...loops, text: inside, label }).split('\n');
        const fence = /^`+/.exec(lines[1]!)?.[0] ?? '';
        assert.ok(fence.length >= 3);
        const runs = lines.map((line) => /^(`+)\s*$/.exec(line)?.[1]?.length ?? 0);
        const closing = runs.findIndex((run, index) => index > 1 && run >= fence.length);
        assert.equal(closing, lines.length - 1);
        assert.ok(lines.slice(2, -1).join('\n').startsWith(inside.replace(/\n$/, '')));
      }),
    );
  });

  it('is exported to Markdown as it was sent', () => {
    assert.equal(toMarkdown(createTranscript([asked]).turns()), `# Conversation\n\n## You\n\n${sent}\n`);
  });

  it('is counted in visible characters', () => assert.equal(characterCount('a😀你'), 3));
});
