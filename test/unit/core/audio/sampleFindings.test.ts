import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findingsOf } from '../../../../src/core/audio/sampleFindings';
import type { SampleFacts, SoundLevels } from '../../../../src/core/audio/sampleFacts';
import { speakingSeconds, textFits } from '../../../../src/core/audio/speakingTime';

const good: SampleFacts = {
  format: 'mp3',
  codec: 'mp3',
  bytes: 216_000,
  seconds: 9,
  sampleRate: 44_100,
  channels: 1,
  bitsPerSecond: 192_000,
};
const level: SoundLevels = { seconds: 9, peak: 0.8, loudness: 0.1, clippedPart: 0, silentPart: 0.1 };
const said = 'The quick brown fox jumps over the lazy dog, and then it rests for a while in the warm afternoon sun.';
const codes = (part: Partial<SampleFacts>, text = said, levels: Partial<SoundLevels> = {}) =>
  findingsOf({ facts: { ...good, ...part }, text, levels: { ...level, ...levels } }).map(
    ({ code, severity }) => `${severity} ${code}`,
  );

describe('the findings on a voice sample', () => {
  it('are empty for a sample as recommended', () => assert.deepEqual(codes({}), []));

  it('reject a sample that is too long, has no audio, or is silent', () => {
    assert.deepEqual(codes({ seconds: 30 }, '')[0], 'error duration.tooLong');
    assert.deepEqual(codes({ seconds: 29.99 }, ''), ['hint duration.advised']);
    assert.deepEqual(codes({ seconds: 0 }), ['error duration.none']);
    assert.deepEqual(codes({}, said, { peak: 0 }), ['error level.silent']);
  });

  it('warn of causes of a worse voice', () => {
    assert.deepEqual(codes({ channels: 2, sampleRate: 8000, bitsPerSecond: 48_000 }), [
      'warning channels.many',
      'warning rate.low',
      'warning bits.low',
    ]);
    assert.deepEqual(codes({ bitsPerSecond: 191_998 }), []);
    assert.deepEqual(codes({ format: 'wav', bitsPerSecond: 64_000 }), []);
    assert.deepEqual(codes({ format: 'ogg', codec: 'vorbis' }), ['warning format.ogg']);
    assert.deepEqual(codes({}, said, { loudness: 0.005, clippedPart: 0.01, silentPart: 0.6 }), [
      'warning level.quiet',
      'warning level.clipped',
      'warning level.pauses',
    ]);
  });

  it('recommend 8 to 10 seconds of displayed length', () => {
    for (const seconds of [7.5, 8, 10, 10.49]) assert.deepEqual(codes({ seconds }, ''), [], String(seconds));
    for (const seconds of [1, 7.4, 10.6]) assert.deepEqual(codes({ seconds }, ''), ['hint duration.advised']);
  });

  it("say that raw samples can't be verified", () => {
    const { sampleRate: _rate, seconds: _seconds, channels: _channels, bitsPerSecond: _bits, ...raw } = good;
    const unknown = findingsOf({ facts: { ...raw, format: 'pcm', codec: 'pcm-s16' }, text: 'x'.repeat(9000) });
    assert.deepEqual(
      unknown.map(({ code }) => code),
      ['pcm.rateUnknown'],
    );
    assert.deepEqual(codes({ format: 'pcm', codec: 'pcm-s16' }), ['hint pcm.assumed']);
  });

  it('compare the transcript with the length, in any script', () => {
    assert.deepEqual(codes({}, said.repeat(4)), ['warning text.tooMuch']);
    assert.deepEqual(codes({}, 'Hello.'), ['warning text.tooLittle']);
    assert.deepEqual(codes({}, '在一无所知中, 梦里的一天结束了,一个新的轮回便会开始,慢工出细活,再给我两分钟'), []);
    assert.deepEqual(codes({}, 'ゆっくりしていってね。きょうはとてもいいてんきですから、さんぽにいきましょう'), []);
    assert.deepEqual(codes({ seconds: 8 }, '一'.repeat(156)), ['warning text.tooMuch']);
    const [finding] = findingsOf({ facts: { ...good, seconds: 8 }, text: '一'.repeat(156) });
    assert.deepEqual(finding?.values.map(Math.round), [30, 8]);
  });

  it('exclude a missing transcript, and one without words', () => {
    for (const text of ['', ' \n', '…!?', '\u0301']) assert.deepEqual(codes({}, text), []);
  });
});

describe('the time to speak a text', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 300 });

  it('grows with the text, and is the sum of its parts', () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        const whole = speakingSeconds(`${one}\n${other}`);
        assert.ok(Math.abs(whole - speakingSeconds(one) - speakingSeconds(other)) < 1e-9);
        assert.ok(whole >= 0);
      }),
    );
  });

  it('fits a recording of every text, and no far shorter or longer one', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 1e4, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (seconds, by) => {
          assert.equal(textFits(seconds, seconds * (0.55 + by * 2.5)), 'fits');
          assert.equal(textFits(seconds, (seconds / 2.1) * by), 'tooMuch');
          assert.equal(textFits(seconds, seconds * (3.4 + by)), 'tooLittle');
        },
      ),
    );
  });

  it('is the same for any encoding of accents', () => {
    assert.equal(speakingSeconds('café'.normalize('NFD')), speakingSeconds('café'.normalize('NFC')));
  });
});
