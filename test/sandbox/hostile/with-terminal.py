# Runs a program in a session with a terminal, though none of its own files is one. Usage: with-terminal.py PROGRAM ARGUMENT...
import fcntl
import os
import sys
import termios

_, slave = os.openpty()
child = os.fork()
if child == 0:
    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    os.execv(sys.argv[1], sys.argv[1:])
_, status = os.waitpid(child, 0)
sys.exit(os.waitstatus_to_exitcode(status) & 0xFF)
