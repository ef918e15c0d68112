// Prints the address of whatever server listens in this process, on standard output: with port 0 nobody else says where it is.
// Loaded with `node --require`, beside `../conformance/loopback.cjs`.

'use strict';

const { Server } = require('node:net');

const { listen } = Server.prototype;

Server.prototype.listen = function (...options) {
  this.once('listening', () => console.log(`http://127.0.0.1:${this.address().port}`));
  return listen.apply(this, options);
};
