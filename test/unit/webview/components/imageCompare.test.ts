import assert from 'node:assert/strict';
import {
  largerOf,
  scaleWithin,
  sliderMoved,
  sliderPart,
  sliderPlace,
  sliderTrack,
} from '../../../../webview/components/imageCompare';

const room = { width: 800, height: 600 };

describe('The slider between two images', () => {
  it('moves over their visible parts', () => {
    assert.deepEqual(sliderTrack({ scale: 1, x: 0, y: 0 }, { width: 400, height: 400 }, room), { from: 200, to: 600 });
    assert.deepEqual(sliderTrack({ scale: 4, x: 300, y: 0 }, { width: 400, height: 400 }, room), { from: 0, to: 800 });
    const enlarged = sliderTrack({ scale: 1, x: 100, y: 0 }, { width: 900, height: 400 }, room);
    assert.deepEqual(enlarged, { from: 50, to: 800 });
  });

  it('keeps its position, whatever is visible', () => {
    const track = { from: 200, to: 600 };
    for (const part of [0, 0.25, 0.5, 1]) assert.equal(sliderPart(sliderPlace(part, track), track), part);
    assert.equal(sliderPart(0, track), 0);
    assert.equal(sliderPart(5000, track), 1);
    assert.equal(sliderPart(3, { from: 3, to: 3 }), 0.5);
  });

  it('follows the slider keys, within its ends', () => {
    assert.equal(sliderMoved(0.5, 'ArrowLeft'), 0.49);
    assert.equal(sliderMoved(0.5, 'ArrowUp'), 0.51);
    assert.equal(sliderMoved(0.29, 'ArrowRight'), 0.3);
    assert.equal(sliderMoved(0.95, 'PageUp'), 1);
    assert.equal(sliderMoved(0.5, 'Home'), 0);
    assert.equal(sliderMoved(0.5, 'End'), 1);
    assert.equal(sliderMoved(0.5, 'a'), undefined);
  });

  it("is between images of the same displayed size, whatever their files' size", () => {
    const [small, large, wide] = [
      { width: 512, height: 512 },
      { width: 1024, height: 1024 },
      { width: 1024, height: 256 },
    ];
    assert.equal(largerOf(small, large), large);
    assert.equal(largerOf(large, small), large);
    assert.equal(largerOf(small, small), small);
    assert.equal(scaleWithin(small, large), 2);
    assert.equal(scaleWithin(wide, large), 1);
  });
});
