import { aptInstall, findProgram } from './aptInstall.ts';
import { SetupError } from './command.ts';

/** Chromium without a window: it starts and draws with a fifth less work. Debian has it as a package of its own. */
const shell = 'chromium-headless-shell';

const names = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** The fonts are for screenshots: without them the editor's own words have the widths of code, and Chinese text and emoji are drawn as boxes. */
const fonts = ['fonts-dejavu-core', 'fonts-liberation', 'fonts-noto-cjk', 'fonts-noto-color-emoji'];

/**
 * The browser for tests: the one that `CHROME_PATH` names, or Chromium without a window, which is installed where that needs no question, or
 * else any Chromium, Chrome or Edge of this machine.
 */
export async function obtainChromium(): Promise<string> {
  const named = process.env['CHROME_PATH'] ?? '';
  const found = findProgram(...(named === '' ? [] : [named]), shell);
  if (found !== undefined) return found;
  const other = findProgram(...names);
  const isInstalled = await aptInstall(other === undefined ? [shell, ...fonts] : [shell]).catch((error: unknown) => {
    if (other === undefined) throw error;
    return false;
  });
  const program = (isInstalled ? findProgram(shell) : undefined) ?? other;
  if (program !== undefined) return program;
  throw new SetupError(
    'No Chromium, Chrome or Edge was found: install one (Debian: apt-get install chromium-headless-shell) or set CHROME_PATH to its program.',
  );
}
