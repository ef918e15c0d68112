// Keeps the conformance suite's mock servers off the network: whoever listens without naming a host listens on 127.0.0.1.
// Loaded with `node --require`.
//
// `listen` itself cannot be given a host here. With one, Node looks it up and binds a moment later, and the suite asks
// for its port at once. Below `listen`, where the address is only written down, the bind stays immediate.

'use strict';

const { Server } = require('node:net');

const LOOPBACK = '127.0.0.1';

const bind = Server.prototype._listen2;
const { listen } = Server.prototype;
if (typeof bind !== 'function') {
  throw new Error('loopback.cjs: this version of Node binds in another way; find the new one before running the suite');
}

Server.prototype._listen2 = function (address, port, family, ...rest) {
  return address === null && port >= 0
    ? bind.call(this, LOOPBACK, port, 4, ...rest)
    : bind.call(this, address, port, family, ...rest);
};

// The way above is Node's own business and may change, so each server is looked at once more when it listens.
Server.prototype.listen = function (...options) {
  this.once('listening', () => {
    const { address } = this.address() ?? {};
    if (address !== undefined && address !== LOOPBACK && address !== '::1') {
      this.close();
      throw new Error(`loopback.cjs: a mock server listened on ${address}`);
    }
  });
  return listen.apply(this, options);
};
