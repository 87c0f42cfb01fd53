/** Context: filters of an event list, which support more properties than numbers do. */
import { createContext } from 'react';

export const OfRows = createContext(false);
