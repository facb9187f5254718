import assert from 'node:assert/strict';
import { imageUse } from '../../../../src/core/catalogue/videoModels';

describe('video models', () => {
  it("support a first image by their IDs, reject it by the service's filter, or are unknown", () => {
    const use = (id: string, ...subTypes: readonly 'text-to-video'[]) => imageUse(id, subTypes);
    assert.equal(use('Wan-AI/Wan2.2-I2V-A14B'), 'needed');
    assert.equal(use('someone/image-to-video-xl'), 'needed');
    assert.equal(use('Wan-AI/Wan2.2-T2V-A14B', 'text-to-video'), 'refused');
    assert.equal(use('someone/typed'), 'unknown');
  });
});
