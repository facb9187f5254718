import assert from 'node:assert/strict';
import { emptySnapshot } from '../support/chatHost';
import { chatPages } from '../support/chatPages';

describe('the instructions below the question box', () => {
  const openPage = chatPages();

  it('are named, and can be turned off and on', async () => {
    const { page, host } = await openPage(emptySnapshot(), {
      width: 300,
      drawn: '.instructions-chip',
      prepare: (owner) =>
        (owner.instructions = { sources: ['AGENTS.md', '.github/copilot-instructions.md'], isOn: true }),
    });
    const chip = page.locator('.instructions-chip');
    assert.equal((await chip.innerText()).trim(), 'AGENTS.md +1');
    assert.match((await chip.getAttribute('title')) ?? '', /^AGENTS\.md\n\.github\/copilot-instructions\.md\n/);
    await chip.click();
    assert.deepEqual(await host.wasAsked('chat/useInstructions'), { isOn: false });
    await page.locator('.instructions-off').waitFor();
    assert.equal(await chip.getAttribute('aria-pressed'), 'false');
    await chip.click();
    assert.deepEqual(await host.wasAsked('chat/useInstructions', 2), { isOn: true });
  });

  it('use no space if there are none', async () => {
    const { page } = await openPage(emptySnapshot(), { width: 300, drawn: '.composer-status' });
    assert.equal(await page.locator('.instructions-chip').count(), 0);
  });
});
