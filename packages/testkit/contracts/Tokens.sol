// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC721, ERC721URIStorage} from "@openzeppelin/contracts/token/ERC721/extensions/ERC721URIStorage.sol";
import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";

/// An ERC-20 that anyone may mint: its tokens are worth nothing.
contract TestToken is ERC20 {
    uint8 private immutable places;

    constructor(string memory name, string memory symbol, uint8 decimals_) ERC20(name, symbol) {
        places = decimals_;
    }

    function decimals() public view override returns (uint8) {
        return places;
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function burn(uint256 amount) external {
        _burn(msg.sender, amount);
    }
}

/// Sent unasked: its transfers are in the logs, but nobody can ask for a balance.
contract RevertingToken {
    string public constant name = "Reverting";
    string public constant symbol = "RVRT";
    uint8 public constant decimals = 18;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function mint(address to, uint256 amount) external {
        emit Transfer(address(0), to, amount);
    }

    function balanceOf(address) external pure returns (uint256) {
        revert("no balance for you");
    }
}

/// Sent unasked: the symbol of another token, a name with markup and a link, more decimals than any number has.
contract LyingToken is ERC20 {
    constructor() ERC20(unicode"<img src=x onerror=alert(1)> claim at evil.example \u202E", "USDC") {}

    function decimals() public pure override returns (uint8) {
        return 255;
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function balanceOf(address) public pure override returns (uint256) {
        return type(uint256).max;
    }
}

/// Takes a twentieth of everything that is moved.
contract TaxedToken is ERC20("Taxed", "TAX") {
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function _update(address from, address to, uint256 amount) internal override {
        uint256 tax = from == address(0) || to == address(0) ? 0 : amount / 20;
        super._update(from, to, amount - tax);
        if (tax > 0) super._update(from, address(0), tax);
    }
}

/// Everyone may hold it, and nobody but its maker move it: there is a price, and no sale.
contract StuckToken is ERC20("Stuck", "STUCK") {
    address private immutable maker = msg.sender;

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function _update(address from, address to, uint256 amount) internal override {
        require(from == address(0) || from == maker, "stuck");
        super._update(from, to, amount);
    }
}

/// An ERC-721 whose metadata comes with each token.
contract Pictures is ERC721URIStorage {
    constructor() ERC721("Portico Pictures", "PICT") {}

    function mint(address to, uint256 id, string calldata uri) external {
        _mint(to, id);
        _setTokenURI(id, uri);
    }
}

/// An ERC-1155 with one metadata for all its kinds.
contract Badges is ERC1155 {
    constructor(string memory uri) ERC1155(uri) {}

    function mint(address to, uint256 id, uint256 amount) external {
        _mint(to, id, amount, "");
    }

    function mintBatch(address to, uint256[] calldata ids, uint256[] calldata amounts) external {
        _mintBatch(to, ids, amounts, "");
    }
}
