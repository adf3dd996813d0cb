// The one bridge between the page and the app. It hands over values made for the page and never an Electron object.
import { contextBridge } from 'electron';

/** Raised when what the bridge offers changes, so that a page can tell which one it met. */
const bridgeVersion = 1;

contextBridge.exposeInMainWorld('ioStudio', { bridgeVersion });
