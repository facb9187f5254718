import { aptInstall, findProgram } from './aptInstall.ts';
import { SetupError } from './command.ts';

/** Chromium without a window starts faster and renders with a fifth less work. Debian has a separate package. */
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

/** For screenshots. Without these fonts, VS Code's UI text has the widths of code, and Chinese text and emoji are boxes. */
const fonts = ['fonts-dejavu-core', 'fonts-liberation', 'fonts-noto-cjk', 'fonts-noto-color-emoji'];

/**
 * Returns the test browser: the one in `CHROME_PATH`, or Chromium without a window, which is installed if that requires no confirmation, or
 * otherwise any Chromium, Chrome, or Edge on this machine.
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
