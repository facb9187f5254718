import { aptInstall, findProgram } from './aptInstall.ts';
import { Trouble } from './command.ts';

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
const debianPackages = [
  'chromium',
  'fonts-dejavu-core',
  'fonts-liberation',
  'fonts-noto-cjk',
  'fonts-noto-color-emoji',
];

/** A Chromium, Chrome or Edge on this machine; installed first where that needs no question. `CHROME_PATH` goes first. */
export async function obtainChromium(): Promise<string> {
  const found = findProgram(...[process.env['CHROME_PATH'] ?? ''].filter(Boolean), ...names);
  if (found !== undefined) return found;
  if (await aptInstall(debianPackages)) {
    const installed = findProgram(...names);
    if (installed !== undefined) return installed;
  }
  throw new Trouble(
    'No Chromium, Chrome or Edge was found: install one (Debian: apt-get install chromium) or set CHROME_PATH to its program.',
  );
}
