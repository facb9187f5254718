import assert from 'node:assert/strict';
import { emptyVideoForm } from '../../../../src/protocol/videoForm';
import { randomSeed } from '../../../../webview/screens/randomSeed';
import { createVideosHost } from '../../../support/videosHost';
import { clockText, obstacleOf, imageOf } from '../../../../webview/screens/videos/form';

describe('the video form', () => {
  it('reports the first problem that prevents a request', () => {
    const form = { ...emptyVideoForm, prompt: 'A boat', model: 'one' };
    const page = createVideosHost().page();
    assert.equal(obstacleOf(form, {}, undefined), 'loading');
    assert.equal(obstacleOf(form, {}, { ...page, isSignedOut: true }), 'needsSignIn');
    assert.equal(obstacleOf(form, {}, { ...page, isNotOffered: true }), 'notOffered');
    assert.equal(obstacleOf({ ...form, prompt: ' \n' }, {}, page), 'needsPrompt');
    assert.equal(obstacleOf({ ...form, model: '' }, {}, page), 'needsModel');
    assert.equal(obstacleOf(form, { seed: 'A whole number.' }, page), 'needsMending');
    assert.equal(obstacleOf(form, {}, page), undefined);
  });

  it('determines image support only for listed models', () => {
    const models = [{ id: 'a', picture: 'needed' }] as const;
    assert.deepEqual([imageOf(' a ', models), imageOf('b', models)], ['needed', 'unknown']);
  });

  it('generates seeds from 0 to 9999999999', () => {
    assert.deepEqual([randomSeed(0), randomSeed(1 - 2 ** -40)], ['0', '9999999999']);
  });

  it('formats times like a media player', () => {
    assert.deepEqual([-5, 0, 59_999, 60_000, 3_725_000].map(clockText), ['0:00', '0:00', '0:59', '1:00', '1:02:05']);
  });
});
