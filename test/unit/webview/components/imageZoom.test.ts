import assert from 'node:assert/strict';
import {
  canPan,
  fitScale,
  nextScale,
  pannedBy,
  placementOf,
  wheelScale,
  zoomedTo,
} from '../../../../webview/components/imageZoom';

const room = { width: 800, height: 600 };
const picture = { width: 1600, height: 800 };
const wheel = (deltaY: number, ctrlKey = false) => ({ deltaY, deltaMode: 0, ctrlKey });

describe('An image in its viewport', () => {
  it("fits completely, and isn't enlarged for that", () => {
    assert.equal(fitScale(picture, room), 0.5);
    assert.equal(fitScale({ width: 100, height: 1200 }, room), 0.5);
    assert.equal(fitScale({ width: 32, height: 32 }, room), 1);
    assert.ok(fitScale(picture, { width: 0, height: 0 }) > 0);
  });

  it('follows its viewport only while it is fitted', () => {
    assert.equal(placementOf('fit', picture, { width: 400, height: 600 }).scale, 0.25);
    assert.equal(placementOf({ scale: 2, x: 0, y: 0 }, picture, { width: 400, height: 600 }).scale, 2);
  });

  it('keeps the point under the pointer while zooming', () => {
    const at = { x: 120, y: -80 };
    let placement = zoomedTo(placementOf('fit', picture, room), 2, { x: 0, y: 0 }, picture, room);
    const seen = () => [(at.x - placement.x) / placement.scale, (at.y - placement.y) / placement.scale];
    const before = seen();
    for (const scale of [2.5, 4, 8, 3]) {
      placement = zoomedTo(placement, scale, at, picture, room);
      seen().forEach((value, index) => assert.ok(Math.abs(value - before[index]!) < 1e-9));
    }
  });

  it('fills the viewport if it is larger, and is centered if it is smaller', () => {
    const placement = pannedBy({ scale: 1, x: 0, y: 0 }, { x: 5000, y: -5000 }, picture, room);
    assert.deepEqual(placement, { scale: 1, x: 400, y: -100 });
    const small = pannedBy({ scale: 0.25, x: 0, y: 0 }, { x: 50, y: 50 }, picture, room);
    assert.deepEqual(small, { scale: 0.25, x: 0, y: 0 });
    assert.deepEqual(canPan(placement, picture, room), { x: true, y: true });
    assert.deepEqual(canPan({ scale: 0.6, x: 0, y: 0 }, picture, room), { x: true, y: false });
    assert.deepEqual(canPan(placementOf('fit', picture, room), picture, room), { x: false, y: false });
  });

  it('is zoomed in and out within limits', () => {
    const placement = placementOf('fit', picture, room);
    assert.equal(zoomedTo(placement, 1e6, { x: 0, y: 0 }, picture, room).scale, 32);
    assert.equal(zoomedTo(placement, 0, { x: 0, y: 0 }, picture, room).scale, 0.05);
    const huge = { width: 80_000, height: 80_000 };
    assert.equal(zoomedTo(placement, 0, { x: 0, y: 0 }, huge, room).scale, fitScale(huge, room));
  });

  it('uses the usual zoom levels, with the fitted one among them', () => {
    assert.equal(nextScale(1, 1, 0.6), 1.25);
    assert.equal(nextScale(0.67, -1, 0.6), 0.6);
    assert.equal(nextScale(0.6, -1, 0.6), 0.5);
    assert.equal(nextScale(0.613, 1, 0.6), 0.67);
    assert.equal(nextScale(32, 1, 0.6), 32);
    assert.equal(nextScale(0.05, -1, 0.6), 0.05);
  });

  it('is zoomed by the wheel symmetrically, in any wheel unit', () => {
    const larger = wheelScale(1, wheel(-100));
    assert.ok(larger > 1.15 && larger < 1.3);
    assert.ok(Math.abs(wheelScale(larger, wheel(100)) - 1) < 1e-9);
    assert.ok(wheelScale(1, { deltaY: -3, deltaMode: 1, ctrlKey: false }) > 1.15);
    assert.ok(wheelScale(1, wheel(-10, true)) > wheelScale(1, wheel(-10)));
    assert.ok(wheelScale(1, wheel(-100_000)) < 8);
  });
});
