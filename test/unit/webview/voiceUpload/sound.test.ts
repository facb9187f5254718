import assert from 'node:assert/strict';
import fc from 'fast-check';
import { levelsOf, peaksOf } from '../../../../webview/screens/voiceUpload/sound';

const rate = 8000;
const tone = (seconds: number, loudness: number) =>
  Float32Array.from({ length: seconds * rate }, (_, at) => loudness * Math.sin((2 * Math.PI * 200 * at) / rate));
const joined = (...parts: readonly Float32Array[]) => Float32Array.from(parts.flatMap((part) => [...part]));
const sound = (...channels: Float32Array[]) => ({ channels, sampleRate: rate });

describe('the waveform of a recording', () => {
  it('is the maximum of each part, of all channels', () => {
    const peaks = peaksOf(sound(joined(tone(1, 0.2), tone(1, 0.8)), joined(tone(1, 0.4), tone(1, 0.1))), 4);
    assert.deepEqual(
      peaks.map((peak) => Math.round(peak * 10) / 10),
      [0.4, 0.4, 0.8, 0.8],
    );
    assert.deepEqual(
      peaksOf(sound(joined(tone(1, 0.2), tone(1, 0.8))), 2).map((peak) => Math.round(peak * 10) / 10),
      [0.2, 0.8],
    );
  });

  it('has the requested number of parts, from 0 to 1, for any recording', () => {
    fc.assert(
      fc.property(
        fc.float32Array({ maxLength: 300, noNaN: true }),
        fc.integer({ min: 1, max: 500 }),
        (samples, count) => {
          const peaks = peaksOf(sound(samples), count);
          assert.equal(peaks.length, count);
          assert.ok(peaks.every((peak) => peak >= 0 && peak <= 1));
          const levels = levelsOf(sound(samples));
          for (const part of [levels.peak, levels.loudness, levels.clippedPart, levels.silentPart])
            assert.ok(part >= 0 && part <= 1, JSON.stringify(levels));
        },
      ),
    );
  });

  it('detects silence, clipping, and the loudness of the rest', () => {
    const quiet = levelsOf(sound(joined(tone(1, 0.5), new Float32Array(rate * 3))));
    assert.equal(quiet.seconds, 4);
    assert.equal(quiet.silentPart, 0.75);
    assert.ok(Math.abs(quiet.loudness - 0.5 / Math.SQRT2) < 0.01);
    assert.equal(quiet.clippedPart, 0);
    const loud = levelsOf(sound(tone(1, 3).map((value) => Math.max(-1, Math.min(1, value)))));
    assert.ok(loud.clippedPart > 0.5, String(loud.clippedPart));
    assert.deepEqual(levelsOf(sound(new Float32Array(rate))), {
      seconds: 1,
      peak: 0,
      loudness: 0,
      clippedPart: 0,
      silentPart: 1,
    });
  });
});
