import assert from 'node:assert/strict';
import type { VoiceUploadForm, VoiceUploadView } from '../../../../src/protocol/voiceUpload';
import { formOf, nameFault, obstacleOf, toRequest } from '../../../../webview/screens/voiceUpload/form';
import { createVoiceUploadHost } from '../../../support/voiceUploadHost';

const { view } = createVoiceUploadHost();
const filled = { text: 'Hello.', note: 'My own.', isAllowed: true };
const obstacle = (form: Partial<VoiceUploadForm>, part: Partial<VoiceUploadView> = {}) =>
  obstacleOf(formOf({ ...filled, ...form }, view), { ...view, ...part });

describe('the form of a voice upload', () => {
  it('contains suggestions if nothing was typed, also for an emptied name', () => {
    assert.deepEqual(formOf({}, view).name, 'anna');
    assert.deepEqual(formOf({ name: '' }, view).name, '');
    assert.deepEqual(formOf({ way: 'base64' }, undefined).model, '');
  });

  it('reports the first problem that prevents the upload', () => {
    const { account: _gone, ...signedOut } = view;
    assert.equal(obstacleOf(formOf({}, view), signedOut), 'needsSignIn');
    assert.equal(obstacle({}, { state: 'failed' }), 'needsSample');
    assert.equal(obstacle({}, { findings: [{ severity: 'error', text: 'x' }] }), 'needsMending');
    assert.equal(obstacle({}, { findings: [{ severity: 'warning', text: 'x' }] }), undefined);
    assert.equal(obstacle({ text: ' \n' }), 'needsText');
    assert.equal(obstacle({ name: ' ' }), 'needsName');
    assert.equal(obstacle({ model: '' }), 'needsModel');
    assert.equal(obstacle({ name: 'a:b' }), 'needsFields');
    assert.equal(obstacle({ text: 'x'.repeat(10_001) }), 'needsFields');
    assert.equal(obstacle({ note: ' \n', isAllowed: false }), 'needsOwner');
    assert.equal(obstacle({ isAllowed: false }), 'needsConsent');
  });

  it('accepts a name of 64 visible characters', () => {
    const form = (name: string) => formOf({ name }, view);
    assert.equal(nameFault(form('😀'.repeat(64))), undefined);
    assert.equal(nameFault(form('x'.repeat(65))), 'nameLong');
    assert.equal(nameFault(form('a:b')), 'nameColon');
  });

  it('sends to the displayed account', () => {
    const form = formOf(filled, view);
    assert.deepEqual(toRequest(form, view, true), { form, profileId: 'work', evenIfNamed: true });
    assert.equal(toRequest(formOf({}, view), view, false), undefined);
  });
});
